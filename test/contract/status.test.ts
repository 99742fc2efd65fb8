import { expect, test } from 'vitest';
import { type FinalVerdicts, type Status, statusOf, Stop } from '../../src/contract/status.ts';

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
