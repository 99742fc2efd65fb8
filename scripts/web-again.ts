import type { Situations } from '../src/report/situations.ts';
import { percent } from '../src/report/numbers.ts';
import { wilsonInterval } from '../src/stats/proportion.ts';

/** Counts and names the cells whose outcome changed in a second run of the same situations. */
export function againSentence(first: Situations, second: Situations): string {
  const changed: string[] = [];
  let cells = 0;
  for (const { surface, cells: again } of second.surfaces) {
    const before = first.surfaces.find((each) => each.surface === surface)?.cells ?? {};
    for (const [task, { passed, of }] of Object.entries(again)) {
      const earlier = before[task];
      if (earlier === undefined) continue;
      cells += 1;
      const passes = passed === of;
      if (passes !== (earlier.passed === earlier.of))
        changed.push(`${task} through ${surface} (${passes ? 'now passed' : 'no longer passed'})`);
    }
  }
  const interval = wilsonInterval(changed.length, cells);
  const share =
    interval === null
      ? ''
      : ` (${percent(changed.length / cells)} %; 95 % interval ${percent(interval.low)}–${percent(interval.high)})`;
  const which = changed.length === 0 ? '' : `: ${changed.join(', ')}`;
  return `A second run of ${second.surfaces.length} surfaces, \`docs/bundles/web-again.zip\`, on ${second.day} changed the outcome of ${changed.length} of ${cells.toLocaleString('en-US')} cells${share}${which}.`;
}
