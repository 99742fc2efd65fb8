import { type Markup, markup } from './markup.ts';

/** Writes a text in which no option, such as `--out`, is broken at its end of a line: browsers do that behind its hyphens. */
export function wholeOptions(text: string): Markup {
  const parts = text.split(/((?<![\w-])--[a-z][a-z-]*)/);
  return markup`${parts.map((part, at) => (at % 2 === 1 ? markup`<span class="whole">${part}</span>` : markup`${part}`))}`;
}
