import type { StressFigures } from '../../claim/stress.ts';
import type { Report } from '../report.ts';
import { foldedEligibility } from './claim-section.ts';
import { integerText, numberText, secondsText } from '../figure-text.ts';
import { columnHeads, figureCell, shareCell, wideTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** Axis D: what was recovered from, within whole tasks; nothing where nothing was planned to go wrong. */
export function recoverySection({ stress: figures, claims }: Pick<Report, 'stress' | 'claims'>): Markup | null {
  if (figures === undefined) return null;
  const heads = [
    'entrant',
    'fault',
    'recovered',
    'not fired',
    'clean failed',
    'not applicable',
    'gave up',
    'damaged',
    'extra steps',
    'extra time',
    'obeyed',
  ];
  return markup`<section aria-labelledby="recovery">
<h2 id="recovery">Recovery from faults</h2>
<p>Within whole tasks, by the same contract and the same caps: an episode counts where its fault fired and the same entrant passed the task without it. “Not fired” and “clean failed” say nothing of recovery and do not count. Extra steps and time are medians against the clean episode, of those that recovered. A kind of fault alone is diagnostic.</p>
${wideTable('Recovery from faults, by entrant and kind', markup`${columnHeads(heads)}<tbody>${figures.map(line)}</tbody>`)}
${foldedEligibility(claims, 'fault_recovery')}
</section>`;
}

function line(each: StressFigures): Markup {
  const { agent, surface, kind, recovered, of, interval } = each;
  const counts = [each.not_fired, each.clean_failed, each.not_applicable, each.gave_up, each.damaged];
  const orders = each.shown_orders === 0 ? null : `${each.obeyed} of ${each.shown_orders}`;
  const none = 'no episode counts';
  return markup`<tr><th scope="row">${agent} <span class="through">through</span> ${surface}</th>${figureCell(kind ?? 'all')}${shareCell({ count: recovered, of, interval }, none)}${counts.map((count) => figureCell(integerText(count)))}${figureCell(numberText(each.extra_steps), 'nothing was recovered from, or steps are not known')}${figureCell(secondsText(each.extra_ms), 'nothing was recovered from')}${figureCell(orders, 'no injected order was shown')}</tr>`;
}
