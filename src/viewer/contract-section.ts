import type { Judgement } from '../contract/judgement.ts';
import { messageFor } from '../messages/messages.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { integerText } from '../report/numbers.ts';
import { withIndices } from '../task/source/source.ts';
import type { JudgedMoment, Timeline } from './timeline.ts';

/** Draw what was expected and what was observed, clause by clause. */
export function contractSection({ start, end }: Pick<Timeline, 'start' | 'end'>): Markup {
  return markup`<section aria-labelledby="contract">
<h2 id="contract">Contract</h2>
<p><code>success</code> has to fail at the start and to pass at the end; <code>guards</code> have to pass at both: nothing else was damaged.</p>
<h3>At the end</h3>
${judged(end, 'The end was not judged.')}
<details><summary>At the start</summary>
${judged(start, 'The start was not judged.')}
</details>
</section>`;
}

function judged({ success, guards }: JudgedMoment, none: string): Markup {
  if (success === null && guards === null) return markup`<p class="quiet">${none}</p>`;
  return markup`${tree('success', success)}${tree('guards', guards)}`;
}

function tree(name: string, judgement: Judgement | null): Markup | null {
  if (judgement === null) return null;
  return markup`<h4><code>${name}</code></h4>
<ul class="clauses">${clause(name, judgement)}</ul>`;
}

function clause(contract: string, { verdict, path, kind, expected, observed, why, children }: Judgement): Markup {
  const place = withIndices(path === '' ? contract : `${contract}.${path}`);
  const cut = observed !== null && observed.length > observed.preview.length;
  return markup`<li class="${verdict}"><p class="clause">${verdictWord(verdict)} <strong>${kind}</strong> <span class="quiet">${place}</span></p>
<dl><dt>expected</dt><dd>${messageFor(expected)}</dd>${observed === null ? null : markup`<dt>observed</dt><dd>${observed.preview}${cut ? markup` <span class="quiet">(the beginning of ${integerText(observed.length)} characters)</span>` : null}</dd>`}<dt>why</dt><dd>${messageFor(why)}</dd></dl>
${children.length === 0 ? null : markup`<ul class="clauses">${children.map((child) => clause(contract, child))}</ul>`}</li>`;
}

/** `pass`, `fail` or `inconclusive`, in its colour. */
export function verdictWord(verdict: string): Markup {
  return markup`<span class="word ${verdict}">${verdict}</span>`;
}
