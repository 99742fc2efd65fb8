import type { Row } from '../bundle/row.ts';
import { numberText, secondsText } from '../report/numbers.ts';
import { decisiveClause } from '../report/failure.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { verdictWord } from './contract-section.ts';

/** Draw the outcome and the effort of an attempt, as its row has them. */
export function outcomeSection(row: Row): Markup {
  const facts = factsOf(row).filter(([, text]) => text !== null);
  return markup`<section aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
<p class="chips"><span class="chip">success: ${verdictWord(row.goal_verdict ?? 'not judged')}</span><span class="chip">guards: ${verdictWord(row.guard_verdict ?? 'not judged')}</span></p>
<dl class="facts">${facts.map(([name, text]) => markup`<dt>${name}</dt><dd>${text}</dd>`)}</dl>
</section>`;
}

function factsOf(row: Row): [name: string, text: string | null][] {
  const { answer, faults, null_reasons: whys } = row;
  const said = answer === null ? null : 'value' in answer ? String(answer.value) : 'not possible';
  return [
    ['stop', row.stop],
    ['why', row.detail ?? (row.stop === null ? (whys['steps'] ?? null) : null)],
    ['decided by', decisiveClause(row)?.name ?? null],
    ['answer', said],
    ['final URL', row.final_url],
    ['model', row.model_id],
    ['steps', figure(row.steps)],
    ['tool errors', figure(row.tool_errors)],
    ['model calls', figure(row.turns)],
    ['tokens', row.tokens_in === null ? null : `${row.tokens_in} in, ${row.tokens_out ?? '–'} out`],
    ['cost', numberText(row.cost_usd, ' USD')],
    ['time', secondsText(row.wall_ms)],
    ['time in the model', secondsText(row.model_ms)],
    ['time in tools', secondsText(row.tool_ms)],
    ['targets', row.target_classes === null ? (whys['target_classes'] ?? null) : countsText(row.target_classes)],
    ['at what was not there', row.hallucination === null ? null : PHANTOMS[row.hallucination]],
    ['violations', row.violations === null ? null : countsText(row.violations)],
    ['faults', faults.length === 0 ? null : faults.map(({ kind }) => kind).join(', ')],
    ['browser', row.browser === null ? null : `${row.browser.name} ${row.browser.version}`],
    ['run', row.run_id],
    ['episode', row.episode_id],
  ];
}

/** The worst that came of an action at a target that was not there. */
const PHANTOMS: Readonly<Record<NonNullable<Row['hallucination']>, string>> = {
  none: 'it did nothing',
  filtered: 'it tried something, which was refused (filtered)',
  reached_failed: 'it did something, and did not pass (reached_failed)',
  reached_succeeded: 'it did something, and passed all the same (reached_succeeded)',
};

function figure(count: number | null): string | null {
  return count === null ? null : String(count);
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none'
  );
}
