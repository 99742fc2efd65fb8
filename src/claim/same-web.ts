import type { FiguredRow } from './figured-row.ts';
import { faultyEpisodeOf } from './faulty-rows.ts';
import { distinct, groupBy } from './group.ts';

/**
 * Whether episodes that are compared with each other met the same web, as far as is known: an archive had no answer to as many
 * requests of each. Where there is no archive there is nothing to miss.
 */
function metTheSame(rows: readonly FiguredRow[]): boolean {
  return distinct(rows, (row) => row.off_archive ?? 0).size < 2;
}

/** Whether an archive had no answer to something that was asked for. */
export function missedSome({ off_archive: misses }: FiguredRow): boolean {
  return (misses ?? 0) > 0;
}

/** Rows of several entrants, those apart in which not all of them met the same web in the same iteration of the same task. */
export function sameWeb<R extends FiguredRow>(rows: readonly R[]): { same: readonly R[]; otherwise: readonly R[] } {
  // Nothing is grouped where a million rows ran on no archive.
  if (metTheSame(rows)) return { same: rows, otherwise: [] };
  const otherwise = new Set(
    [...groupBy(rows, faultyEpisodeOf).values()].filter((episodes) => !metTheSame(episodes)).flat(),
  );
  return { same: rows.filter((row) => !otherwise.has(row)), otherwise: [...otherwise] };
}
