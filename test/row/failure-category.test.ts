import { expect, test } from 'vitest';
import { FailureCategory } from '../../src/bundle/row-words.ts';
import { type EndedRow, failureCategoryOf } from '../../src/row/row-of.ts';
import { nothingRecorded, type Recorded, take } from '../../src/row/recorded.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';

const START = 'http://app.test/';
const CLICK = {
  shown: true,
  shown_before: true,
  matched_then: 1,
  matched_now: 1,
  actionable: true,
  dispatched: true,
  invented: [],
};

/** Returns the record of an attempt that began at the start page and made these calls. */
function recordedOf(calls: { ok: boolean; url?: string; reads?: true }[], ...events: EpisodeEvent[]): Recorded {
  const recorded = nothingRecorded();
  recorded.moments.start.judged = {
    type: 'judged',
    moment: 'start',
    unsettled: false,
    url: START,
    settle_ms: 0,
    judge_ms: 0,
  };
  for (const { ok, url = START, reads } of calls) {
    recorded.steps.push({ tool: 'click', ok, url, progress: null });
    recorded.targets.push(reads === true ? null : CLICK);
  }
  for (const event of events) take(recorded, { schema_version: 2, seq: 1, at_ms: 0, event });
  return recorded;
}

const FAILED: EndedRow = { status: 'failed', stop: 'done', guard_verdict: 'pass', steps: 1 };
const ACTED = recordedOf([{ ok: true }]);

function stopped(stop: Exclude<EndedRow['stop'], 'done' | null>): EndedRow {
  return { status: stop, stop, guard_verdict: 'pass', steps: 1 };
}

function interrupted(cause: 'outage' | 'turned_away' | 'budget'): Recorded {
  return recordedOf([{ ok: true }], { type: 'interrupted', cause, why: 'w' });
}

const CASES: [string, EndedRow, Recorded, FailureCategory | null][] = [
  ['a pass', { ...FAILED, status: 'passed' }, ACTED, 'none'],
  ['a cell that never ran', { ...FAILED, status: 'not_applicable', stop: null }, ACTED, null],
  ['all steps taken', stopped('max_steps'), ACTED, 'max_turns'],
  ['all turns taken', stopped('max_turns'), ACTED, 'max_turns'],
  ['giving up', stopped('gave_up'), ACTED, 'gave_up'],
  ['the wall cap', stopped('timeout'), ACTED, 'timeout'],
  ['the cap on tokens', stopped('budget_exceeded'), ACTED, 'budget'],
  ['an agent that crashed', stopped('agent_error'), ACTED, 'agent_error'],
  ['a cassette that no longer fits', stopped('replay_drift'), ACTED, 'provider'],
  ['a task that is broken at its start', stopped('invalid_task'), ACTED, 'infra'],
  ['our own failure', stopped('infra_error'), ACTED, 'infra'],
  ['an outage of the provider', stopped('infra_error'), interrupted('outage'), 'provider'],
  ['a key that is turned away', stopped('infra_error'), interrupted('turned_away'), 'provider'],
  ['money that is spent', stopped('infra_error'), interrupted('budget'), 'budget'],
  ['an end that could not be judged', { ...FAILED, status: 'inconclusive' }, ACTED, 'infra'],
  ['another end state', FAILED, ACTED, 'wrong_end_state'],
  ['a broken guard', { ...FAILED, guard_verdict: 'fail' }, recordedOf([]), 'guard_broken'],
  ['done, and nothing called', FAILED, recordedOf([]), 'over_claim'],
  ['done, and only looked', FAILED, recordedOf([{ ok: true, reads: true }]), 'over_claim'],
  ['done, and only failed calls', FAILED, recordedOf([{ ok: false }]), 'over_claim'],
  [
    'done on another page',
    FAILED,
    recordedOf([{ ok: true, reads: true, url: 'http://app.test/b' }]),
    'wrong_end_state',
  ],
  ['done after a failed call', FAILED, recordedOf([{ ok: true }, { ok: false }]), 'tool_error'],
  ['done after calls that nobody saw', { ...FAILED, steps: null }, recordedOf([]), 'wrong_end_state'],
];

test.each(CASES)('%s', (_, ending, recorded, category) => {
  expect(failureCategoryOf(ending, recorded)).toBe(category);
});

test('every category of the list is used', () => {
  expect(new Set(CASES.flatMap(([, , , category]) => category ?? []))).toEqual(new Set(FailureCategory.options));
});
