import { expect, test } from 'vitest';
import { isPhantom, targetClass, type TargetFacts, TargetReport } from '../../src/task/target.ts';

const SEEN: TargetFacts = {
  shown: true,
  shown_before: false,
  matched_then: 1,
  matched_now: 1,
  actionable: true,
  dispatched: true,
  invented: [],
};

const PAST = { shown: false, shown_before: true };

const TABLE: [what: string, sight: Partial<TargetFacts>, expected: ReturnType<typeof targetClass>][] = [
  ['what was shown, is there and can be acted on', {}, 'resolved'],
  ['what was never there', { shown: false, matched_then: 0, matched_now: 0, dispatched: false }, 'phantom'],
  ['what was not shown though it was there', { shown: false }, 'phantom'],
  ['what was not shown, and nobody can tell whether it is there', { shown: false, matched_now: null }, 'phantom'],
  ['what came after the agent had looked', { shown: false, matched_then: 0 }, 'not_yet_present'],
  ['what has gone since', { matched_now: 0, dispatched: false }, 'stale'],
  ['what was shown before, and has gone', { ...PAST, matched_then: 0, matched_now: 0, dispatched: false }, 'stale'],
  ['what was shown before, and came back', { ...PAST, matched_then: 0 }, 'not_yet_present'],
  ['what was shown before, and took the action', { ...PAST, matched_now: null, actionable: null }, 'resolved'],
  ['what is there several times', { matched_now: 2, dispatched: false }, 'ambiguous'],
  ['what is covered', { actionable: false, dispatched: false }, 'blocked'],
  ['an option of no list, on a target that is right', { invented: ['option'] }, 'invented_argument'],
  ['what took the action, though its count is not known', { matched_now: null, actionable: null }, 'resolved'],
  ['what did not take it, for reasons not known', { matched_now: null, actionable: null, dispatched: false }, null],
];

test.each(TABLE)('%s', (_what, sight, expected) => {
  expect(targetClass({ ...SEEN, ...sight })).toBe(expected);
});

test('only a made-up target makes a phantom run', () => {
  expect(isPhantom('phantom')).toBe(true);
  expect(isPhantom('invented_argument')).toBe(true);
  for (const each of ['resolved', 'ambiguous', 'stale', 'not_yet_present', 'blocked'] as const) {
    expect(isPhantom(each)).toBe(false);
  }
});

test('a report lists all targets, or the reason for none', () => {
  expect(TargetReport.safeParse({ untold: 'the tool takes free text' }).success).toBe(true);
  expect(TargetReport.safeParse({ shown: true }).success).toBe(false);
  expect(TargetReport.safeParse({ untold: '' }).success).toBe(false);
});
