import type { Row } from '../bundle/row.ts';
import type { FailureCategory } from '../bundle/row-words.ts';
import { groupBy } from '../claim/group.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { isControl, isReference } from './glossary.ts';
import type { Report } from './report.ts';

const FAILURES: Readonly<Record<FailureCategory, string>> = {
  max_turns: 'out of steps or turns',
  gave_up: 'the agent gave up',
  wrong_end_state: 'said done, and the goal is not reached',
  guard_broken: 'said done, and something else was damaged',
  over_claim: 'said done, and had done nothing',
  budget: 'out of tokens or money',
  timeout: 'out of time',
  tool_error: 'said done after a call that had failed',
  agent_error: 'the agent ended with an error',
  provider: 'the model did not reply',
  infra: 'the infrastructure failed, and not the entrant',
  none: 'passed',
};

/** Statuses that say more than their category, under which others are that have another reason. */
const FAILURES_OF_STATUS: Readonly<Partial<Record<Row['status'], string>>> = {
  invalid_task: 'the start was not as the task needs it: the task was at fault, and not the entrant',
  inconclusive: 'said done, and nobody can tell: its end could not be judged',
  replay_drift: 'the page was another than the transcript knows',
};

/** Categories of episodes that nothing has ended but the entrant, and that the contract decided. */
const MISSED = new Set<FailureCategory>(['wrong_end_state', 'guard_broken', 'over_claim']);

/** The reason why an episode did not pass, as the heading of those that have it. */
export function failureReason({
  status,
  failure_category: category,
  agent,
  detail,
}: Pick<Row, 'status' | 'failure_category' | 'agent' | 'detail'>): string {
  if (category === 'agent_error') {
    const beside = brokenBesideAgent({ detail });
    if (beside !== null) return beside;
    if (isReference({ agent })) return 'the solution of the task could not be followed';
  }
  if (isReference({ agent }) && category !== null && MISSED.has(category))
    return "the task's own solution did not meet its contract";
  return FAILURES_OF_STATUS[status] ?? FAILURES[category ?? 'infra'];
}

/** Beginnings of the `detail` of an entrant that broke, as the episode writes them, and what broke then. All others are the agent's. */
const BROKEN: readonly [beginning: RegExp, what: string][] = [
  [/^the surface (?:broke: |is none: |could not be opened: |did not open within )/, 'the surface broke'],
  [/^the browser process ended\b/, 'the browser ended'],
  [/^the connection to the browser was lost\b/, 'the connection to the browser was lost'],
  [
    /^(?:calls were made|the agent said that it was done), and this browser saw no command of (?:them|it)$/,
    'nothing of it reached the browser',
  ],
];

/** Says what of an entrant broke, its agent apart; null where it was that. */
export function brokenBesideAgent({ detail }: Pick<Row, 'detail'>): string | null {
  return BROKEN.find(([beginning]) => detail !== null && beginning.test(detail))?.[1] ?? null;
}

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
