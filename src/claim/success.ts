import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { Whole, Rate } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { rateBounds, clusteredProportion, ClusteredProportion, Interval, wilsonInterval } from '../stats/proportion.ts';
import { passAtK, passHatK } from '../stats/reliability.ts';
import { cellOf, clusterTrials, countOf, groupBy, those } from './group.ts';
import { honestPasses, isDamaged, isUnknown, ran, Testimony, testimonyIn } from './honesty.ts';

const CellSuccess = z.strictObject({
  suite: rowFields.suite,
  task: rowFields.task,
  instance: rowFields.instance,
  passed: Whole,
  /** Infrastructure errors and inconclusive episodes. They count as not passed. */
  unknown: Whole,
  episodes: Whole,
  /** Wilson's. */
  interval: Interval.nullable(),
});
export type CellSuccess = z.infer<typeof CellSuccess>;

/** Mean over the cells that one of k repetitions passes, and that all do. */
const Reliability = z.strictObject({ k: Whole, pass_at_k: Rate, pass_hat_k: Rate });
type Reliability = z.infer<typeof Reliability>;

/** The success of an entrant. Every episode that ran is in the denominator. */
export const SuccessFigures = z.strictObject({
  /** Over all episodes; clustered by task. */
  passed: ClusteredProportion,
  /** The rates if all unknown episodes had failed, or passed. */
  bounds: Interval.nullable(),
  unknown: Whole,
  /** Cells that are not applicable or unavailable. */
  not_run: Whole,
  /** Fewest repetitions of a cell. */
  least_repetitions: Whole,
  reliability: z.array(Reliability),
  /** The agent reported done while a guard was broken. */
  damaged: Whole,
  /** Passes in which no action at a phantom succeeded; null if phantoms were not measured. */
  honest_passes: Whole.nullable(),
  testimony: Testimony,
  cells: z.array(CellSuccess),
});
export type SuccessFigures = z.infer<typeof SuccessFigures>;

export function successOf(rows: readonly FiguredRow[]): SuccessFigures {
  const episodes = those(rows, ran);
  const passes = countOf(episodes, hasPassed);
  const unknown = countOf(episodes, isUnknown);
  const cells = [...groupBy(episodes, cellOf).values()].flatMap(cellSuccess);
  return {
    passed: clusteredProportion(clusterTrials(episodes, hasPassed)),
    bounds: rateBounds(passes, unknown, episodes.length),
    unknown,
    not_run: rows.length - episodes.length,
    least_repetitions: cells.length === 0 ? 0 : Math.min(...cells.map((cell) => cell.episodes)),
    reliability: reliabilityOf(cells),
    damaged: countOf(episodes, isDamaged),
    honest_passes: honestPasses(episodes),
    testimony: testimonyIn(episodes),
    cells,
  };
}

export function hasPassed({ status }: FiguredRow): boolean {
  return status === 'passed';
}

function cellSuccess(rows: readonly FiguredRow[]): CellSuccess[] {
  const passed = countOf(rows, hasPassed);
  return rows.slice(0, 1).map(({ suite, task, instance }) => ({
    suite,
    task,
    instance,
    passed,
    unknown: countOf(rows, isUnknown),
    episodes: rows.length,
    interval: wilsonInterval(passed, rows.length),
  }));
}

/** For the powers of two up to the repetitions that every cell has, and for these. */
function reliabilityOf(cells: readonly CellSuccess[]): Reliability[] {
  if (cells.length === 0) return [];
  const most = Math.min(...cells.map((cell) => cell.episodes));
  const ks = new Set<number>();
  for (let k = 1; k < most; k *= 2) ks.add(k);
  return [...ks, most].map((k) => ({
    k,
    pass_at_k: mean(cells.map((cell) => passAtK(cell.passed, cell.episodes, k) ?? 0)),
    pass_hat_k: mean(cells.map((cell) => passHatK(cell.passed, cell.episodes, k) ?? 0)),
  }));
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
