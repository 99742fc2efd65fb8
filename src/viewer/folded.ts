import { type Markup, markup } from '../report/html/markup.ts';
import { wellFormed } from '../contract/strings.ts';
import { integerText } from '../report/numbers.ts';

/** Most of a text that stands in the page itself, in lines and in characters (UTF-16 code units). */
const SHOWN = { lines: 30, characters: 2_000 };

export function lines(text: string): Markup[] {
  return text.split('\n').map((line, at) => markup`${at === 0 ? '' : NEWLINE}${line}`);
}

const NEWLINE = markup`
`;

/**
 * A text as data: a short one whole, of a long one the beginning, and the rest when it is asked for.
 * @param whole where all of it is served; `label` says what it is, for a screen reader.
 */
export function foldedLongText(text: string, { whole, label }: { whole: string; label: string }): Markup {
  const short = beginningOf(text);
  if (short === text) return markup`<pre class="said">${lines(text)}</pre>`;
  return markup`<div class="long"><pre class="said beginning">${lines(short)}</pre>
${foldedText(`Show all of it (${integerText(text.length)} characters)`, { whole, label })}</div>`;
}

/** A text that is fetched when it is opened; without a script there is a link to it. */
export function foldedText(summary: string, { whole, label }: { whole: string; label: string }): Markup {
  return markup`<details class="folded" data-from="${whole}"><summary>${summary}</summary><p><a href="${whole}">${label} as plain text</a></p><pre class="said" role="region" aria-label="${label}" tabindex="0" hidden></pre></details>`;
}

/** Where the whole of an event is served as text. `address` is that of the attempt's page. */
export function bodyAt(address: string, line: number): string {
  return `${address}/events/${line}`;
}

function beginningOf(text: string): string {
  const start = text.length <= SHOWN.characters ? text : wellFormed(text.slice(0, SHOWN.characters));
  return start.split('\n').slice(0, SHOWN.lines).join('\n');
}
