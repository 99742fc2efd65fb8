import { groupBy } from '../claim/group.ts';
import type { EpisodeLine } from './episode-line.ts';
import { failureReason, isControl } from './glossary.ts';
import type { Report } from './report.ts';

/** Most failures of one reason that are shown, and most reasons. */
const MOST = { shown: 6, groups: 8 };

/** Failures that have something in common. */
export interface FailureGroup {
  reason: string;
  count: number;
  shown: EpisodeLine[];
}

/** Group the failures of all who compete, the largest group first: controls fail because they have to. */
export function failureGroups({ episodes, agents }: Pick<Report, 'episodes' | 'agents'>): FailureGroup[] {
  const controls = new Set(agents.filter(isControl).map(({ agent }) => agent));
  const failures = episodes.filter(
    ({ status, agent }) =>
      status !== 'passed' && status !== 'not_applicable' && status !== 'unavailable' && !controls.has(agent),
  );
  return [...groupBy(failures, failureReason)]
    .map(([reason, own]) => ({ reason, count: own.length, shown: own.slice(0, MOST.shown) }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST.groups);
}

/** Picks one failure of each reason, as no more are explained. */
export function firstFailures(report: Pick<Report, 'episodes' | 'agents'>): EpisodeLine[] {
  return failureGroups(report).flatMap(({ shown }) => shown.slice(0, 1));
}
