import type { Row } from '../bundle/row.ts';
import { secondsText, integerText } from '../report/numbers.ts';
import { episodeFacts } from '../report/sections/episodes.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { Judgement } from '../contract/judgement.ts';
import { messageFor } from '../messages/messages.ts';
import { withIndices } from '../task/source/source.ts';
import { refusedText } from './event-words.ts';
import type { JudgedMoment, Timeline } from './timeline.ts';
import { failedAsExpected, statusText } from '../report/roles.ts';

/** Draws the outcome and the effort of an attempt from its row. */
export function outcomeSection(row: Row): Markup {
  const facts = factsOf(row).filter(([, text]) => text !== null);
  return markup`<section aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
<p class="chips"><span class="chip">success: ${verdictWord(row.goal_verdict ?? 'not judged')}</span><span class="chip">guards: ${verdictWord(row.guard_verdict ?? 'not judged')}</span></p>
<dl class="facts">${facts.map(([name, text]) => markup`<dt>${name}</dt><dd>${text}</dd>`)}</dl>
</section>`;
}

function factsOf(row: Row): [name: string, text: string | null][] {
  const { answer, null_reasons: whys } = row;
  const given = answer === null ? null : 'value' in answer ? String(answer.value) : 'not possible';
  return [
    ['stop', row.stop],
    ['why', row.detail ?? (row.stop === null ? (whys['steps'] ?? null) : null)],
    ['answer', given],
    ['steps', row.steps?.toString() ?? null],
    ...episodeFacts(row),
    ['time', secondsText(row.wall_ms)],
    ['time in the model', secondsText(row.model_ms)],
    ['time in tools', secondsText(row.tool_ms)],
    ['targets', row.target_classes === null ? (whys['target_classes'] ?? null) : countsText(row.target_classes)],
    ['phantoms', row.hallucination === null ? null : PHANTOMS[row.hallucination]],
    ['violations', row.violations === null ? null : countsText(row.violations)],
    ['refused', row.refused?.map(refusedText).join('; ') ?? null],
    ['browser', row.browser === null ? null : `${row.browser.name} ${row.browser.version}`],
    ['run', row.run_id],
    ['episode', row.episode_id],
  ];
}

/** The worst result of an action on a target that did not exist. */
const PHANTOMS: Readonly<Record<NonNullable<Row['hallucination']>, string>> = {
  none: 'none',
  filtered: 'refused (filtered)',
  reached_failed: 'carried out, and the task did not pass (reached_failed)',
  reached_succeeded: 'carried out, but the task passed (reached_succeeded)',
};

function countsText(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none'
  );
}

/** Pages about episodes load pictures and long texts from their own origin. */
export const PAGE_OF_EPISODE = {
  styles: ['report.css', 'episode.css'],
  scripts: ['episode.js'],
  allowed: ["img-src 'self'", "connect-src 'self'"],
} as const;

export function statusChip(row: Row): Markup {
  const { status } = row;
  const isAbsent = status === 'not_applicable' || status === 'unavailable' || failedAsExpected(row);
  return markup`<span class="chip status ${status === 'passed' ? 'passed' : isAbsent ? 'absent' : 'lost'}">${statusText(row)}</span>`;
}

/** Draws expected and observed values by clause. */
export function contractSection({ start, end }: Pick<Timeline, 'start' | 'end'>): Markup {
  return markup`<section aria-labelledby="contract">
<h2 id="contract">Contract</h2>
<p><code>success</code> must fail at the start and pass at the end; <code>guards</code> must pass both times: nothing else was damaged.</p>
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

/** Folds a clause that passed into one line, below those that failed. */
function clause(contract: string, { verdict, path, kind, expected, observed, why, children }: Judgement): Markup {
  const place = withIndices(path === '' ? contract : `${contract}.${path}`);
  const cut = observed !== null && observed.length > observed.preview.length;
  const ordered = ['fail', 'inconclusive', 'pass'].flatMap((each) =>
    children.filter((child) => child.verdict === each),
  );
  return markup`<li class="${verdict}"><details${verdict === 'pass' ? null : markup` open`}><summary class="clause">${verdictWord(verdict)} <strong>${kind}</strong> <span class="quiet">${place}</span></summary>
<dl><dt>expected</dt><dd>${messageFor(expected)}</dd>${observed === null ? null : markup`<dt>observed</dt><dd>${observed.preview}${cut ? markup` <span class="quiet">(the beginning of ${integerText(observed.length)} characters)</span>` : null}</dd>`}<dt>why</dt><dd>${messageFor(why)}</dd></dl>
${children.length === 0 ? null : markup`<ul class="clauses">${ordered.map((child) => clause(contract, child))}</ul>`}</details></li>`;
}

/** `pass`, `fail` or `inconclusive`, in its colour. */
function verdictWord(verdict: string): Markup {
  return markup`<span class="word ${verdict}">${verdict}</span>`;
}
