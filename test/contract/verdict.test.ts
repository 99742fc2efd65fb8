import { describe, expect, it, test } from 'vitest';
import { all, any, negate, type Verdict } from '../../src/contract/verdict.ts';
import { type FinalVerdicts, type Status, statusOf, Stop } from '../../src/contract/status.ts';

const VALUES = { pass: 1, inconclusive: 0.5, fail: 0 };
const VERDICTS: Verdict[] = ['pass', 'inconclusive', 'fail'];
const PAIRS = VERDICTS.flatMap((a) => VERDICTS.map((b): [Verdict, Verdict] => [a, b]));

describe("Kleene's tables, with fail < inconclusive < pass", () => {
  it.each(PAIRS)('%s and %s is the lesser', (a, b) => {
    expect(VALUES[all([a, b])]).toBe(Math.min(VALUES[a], VALUES[b]));
  });

  it.each(PAIRS)('%s or %s is the greater', (a, b) => {
    expect(VALUES[any([a, b])]).toBe(Math.max(VALUES[a], VALUES[b]));
  });

  it.each(VERDICTS)('not %s is its mirror image', (verdict) => {
    expect(VALUES[negate(verdict)]).toBe(1 - VALUES[verdict]);
  });
});

const AFTER_DONE: [FinalVerdicts['goal'], FinalVerdicts['guard'], Status][] = [
  ['pass', 'pass', 'passed'],
  ['pass', 'fail', 'failed'],
  ['pass', 'inconclusive', 'inconclusive'],
  ['fail', 'pass', 'failed'],
  ['fail', 'fail', 'failed'],
  ['fail', 'inconclusive', 'failed'],
  ['inconclusive', 'pass', 'inconclusive'],
  ['inconclusive', 'fail', 'failed'],
  ['inconclusive', 'inconclusive', 'inconclusive'],
  [null, null, 'inconclusive'],
];

test.each(AFTER_DONE)('done with goal %s and guards %s is %s', (goal, guard, status) => {
  expect(statusOf('done', { goal, guard })).toBe(status);
});

test.each(Stop.options.filter((stop) => stop !== 'done'))(
  '%s is its own status, even when everything passes',
  (stop) => {
    expect(statusOf(stop, { goal: 'pass', guard: 'pass' })).toBe(stop);
  },
);
