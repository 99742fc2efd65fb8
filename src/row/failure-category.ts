import type { RowDraft } from '../bundle/row.ts';
import type { FailureCategory } from '../bundle/row-words.ts';
import type { Recorded } from './recorded.ts';

/** The fields of a row that its category follows from. */
export type EndedRow = Pick<RowDraft, 'status' | 'stop' | 'guard_verdict' | 'steps'>;

/**
 * Returns why an attempt did not pass, by one rule from facts: what it stopped with decides; of those who said done, a broken guard
 * before anything else, then whether they had done anything at all, then whether the last call had failed.
 * `none` after a pass; null where it never ran.
 */
export function failureCategoryOf({ status, stop, guard_verdict: guard, steps }: EndedRow, recorded: Recorded) {
  if (status === 'passed') return 'none';
  if (stop === null) return null;
  if (stop !== 'done') return categoryOfStop(stop, recorded.last.interrupted?.cause);
  if (status === 'inconclusive') return 'infra';
  if (guard === 'fail') return 'guard_broken';
  // Nobody sees the calls of an agent that drives the browser itself.
  if (steps === null) return 'wrong_end_state';
  if (!hasActed(recorded)) return 'over_claim';
  return recorded.steps.at(-1)?.ok === false ? 'tool_error' : 'wrong_end_state';
}

type Cause = NonNullable<Recorded['last']['interrupted']>['cause'];

function categoryOfStop(stop: Exclude<RowDraft['stop'], 'done' | null>, cause: Cause | undefined): FailureCategory {
  switch (stop) {
    case 'gave_up':
    case 'timeout':
    case 'agent_error':
      return stop;
    case 'max_steps':
    case 'max_turns':
      return 'max_turns';
    case 'budget_exceeded':
      return 'budget';
    case 'replay_drift':
      return 'provider';
    case 'invalid_task':
      return 'infra';
    case 'infra_error':
      if (cause === undefined) return 'infra';
      return cause === 'budget' ? 'budget' : 'provider';
  }
}

/** Whether a call that was carried out aimed at something in a page, or led to another address. */
function hasActed({ steps, targets, moments }: Recorded): boolean {
  const start = moments.start.judged?.url;
  return steps.some(({ ok, url }, place) => ok && (targets[place] !== null || url !== start));
}
