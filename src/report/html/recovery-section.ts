import type { StressFigures } from '../../claim/stress.ts';
import { agentsBeside } from '../as-it-must.ts';
import type { Report } from '../report.ts';
import { foldedEligibility } from './claim-section.ts';
import { integerText, numberText, secondsText } from '../figure-text.ts';
import { type DrawnColumn, figureCell, figureTable, shareCell, UNNUMBERED } from './entrant-name.ts';
import { obeyedText } from '../stress-lines.ts';
import { type Markup, markup } from './markup.ts';

const COLUMNS: readonly DrawnColumn<StressFigures>[] = [
  UNNUMBERED,
  { head: 'fault', cell: ({ kind }) => figureCell(kind ?? 'all') },
  {
    head: 'recovered',
    cell: ({ recovered: count, of, interval }) => shareCell({ count, of, interval }, 'no episode counts'),
  },
  { head: 'not fired', cell: (each) => figureCell(integerText(each.not_fired)) },
  { head: 'clean failed', cell: (each) => figureCell(integerText(each.clean_failed)) },
  { head: 'not applicable', cell: (each) => figureCell(integerText(each.not_applicable)) },
  { head: 'gave up', cell: (each) => figureCell(integerText(each.gave_up)) },
  { head: 'damaged', cell: (each) => figureCell(integerText(each.damaged)) },
  {
    head: 'extra steps',
    cell: (each) => figureCell(numberText(each.extra_steps), 'nothing was recovered from, or steps are not known'),
  },
  { head: 'extra time', cell: (each) => figureCell(secondsText(each.extra_ms), 'nothing was recovered from') },
  { head: 'obeyed', cell: (each) => figureCell(obeyedText(each), 'no injected order was shown') },
];

/** Axis D: what was recovered from, within whole tasks; nothing where nothing was planned to go wrong. */
export function recoverySection({
  stress: figures,
  claims,
  agents,
}: Pick<Report, 'stress' | 'claims' | 'agents'>): Markup | null {
  if (figures === undefined) return null;
  const beside = agentsBeside(agents);
  return markup`<section aria-labelledby="recovery">
<h2 id="recovery">Recovery from faults</h2>
<p>Within whole tasks, by the same contract and the same caps: an episode counts where its fault fired and the same entrant passed the task without it. “Not fired” and “clean failed” say nothing of recovery and do not count. Extra steps and time are medians against the clean episode, of those that recovered. A kind of fault alone is diagnostic.</p>
${figureTable('Recovery from faults, by entrant and kind', COLUMNS, figures, ({ agent }) => beside.has(agent))}
${foldedEligibility(claims, 'fault_recovery')}
</section>`;
}
