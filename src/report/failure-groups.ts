import { groupBy } from '../claim/group.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { failureOf } from './failure.ts';
import type { Report } from './report.ts';
import { controlsIn } from './roles.ts';

/** Limits of what is shown: the failures of one reason, and the reasons. */
const MOST = { shown: 6, groups: 8 };

/** Failures that have one reason. */
export interface FailureGroup {
  reason: string;
  count: number;
  shown: EpisodeLine[];
}

/** Groups the failures of agents that compete, the largest group first. */
export function failureGroups({ episodes, agents }: Pick<Report, 'episodes' | 'agents'>): FailureGroup[] {
  const controls = controlsIn(agents);
  const failures = episodes.filter(
    ({ status, agent }) => status !== 'not_applicable' && status !== 'unavailable' && !controls.has(agent),
  );
  return [...groupBy(failures, (line) => failureOf(line)?.reason ?? '')]
    .flatMap(([reason, own]) => (reason === '' ? [] : [{ reason, count: own.length, shown: own.slice(0, MOST.shown) }]))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST.groups);
}

/** Picks one failure of each reason. */
export function firstFailures(report: Pick<Report, 'episodes' | 'agents'>): EpisodeLine[] {
  return failureGroups(report).flatMap(({ shown }) => shown.slice(0, 1));
}
