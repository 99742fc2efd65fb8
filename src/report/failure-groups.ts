import { groupBy } from '../claim/group.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { failureOf } from './failure.ts';
import type { ReportedEpisodes } from './report.ts';
import { controlsIn } from './roles.ts';

/** Limits of what is shown: the failures of one reason, and the reasons. */
const MAX = { shown: 8, groups: 8 };

export interface FailureGroup {
  reason: string;
  count: number;
  /** One episode of each cell and sentence. */
  shown: EpisodeLine[];
  /** Counts of the cell by the id of the episode shown: failures like it, and episodes. */
  repeats: ReadonlyMap<string, { count: number; of: number }>;
}

/** Groups the failures of agents that compete, the largest group first. */
export function failureGroups({ episodes, agents }: ReportedEpisodes): FailureGroup[] {
  const controls = controlsIn(agents);
  const failures = episodes.filter(
    ({ status, agent }) => status !== 'not_applicable' && status !== 'unavailable' && !controls.has(agent),
  );
  const cells = groupBy(episodes, cellOf);
  return [...groupBy(failures, (line) => failureOf(line)?.reason ?? '')]
    .flatMap(([reason, own]) => (reason === '' ? [] : [groupOf(reason, own, cells)]))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX.groups);
}

function groupOf(
  reason: string,
  failures: readonly EpisodeLine[],
  cells: ReadonlyMap<string, readonly EpisodeLine[]>,
): FailureGroup {
  const same = [...groupBy(failures, (line) => `${cellOf(line)} ${failureOf(line)?.sentence ?? ''}`).values()];
  const shown = same
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX.shown)
    .flatMap((lines) => lines.slice(0, 1).map((line) => ({ line, count: lines.length })));
  return {
    reason,
    count: failures.length,
    shown: shown.map(({ line }) => line),
    repeats: new Map(
      shown.map(({ line, count }) => [line.episode_id, { count, of: cells.get(cellOf(line))?.length ?? count }]),
    ),
  };
}

function cellOf({ suite, task, instance, agent, surface, faults = [] }: EpisodeLine): string {
  return JSON.stringify([suite, task, instance, agent, surface, faults.map(({ kind }) => kind)]);
}

export function firstFailures(report: ReportedEpisodes): EpisodeLine[] {
  return failureGroups(report).flatMap(({ shown }) => shown.slice(0, 1));
}
