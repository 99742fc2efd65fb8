import { expect, it } from 'vitest';
import { slowestLines } from './slowest-reporter.ts';

const [SLOW, SLOWER, QUICK] = [
  { file: 'a.test.ts', name: 'slow', ms: 2_340 },
  { file: 'b.test.ts', name: 'in a group > slower', ms: 61_000 },
  { file: 'a.test.ts', name: 'quick', ms: 3 },
];

it('lists the slowest test first, with its file and its seconds', () => {
  expect(slowestLines([SLOW, QUICK, SLOWER], 2)).toEqual([
    '   61.0 s  b.test.ts > in a group > slower',
    '    2.3 s  a.test.ts > slow',
  ]);
});

it('lists all where there are fewer than it is asked for', () => {
  expect(slowestLines([QUICK], 2)).toEqual(['    0.0 s  a.test.ts > quick']);
  expect(slowestLines([], 2)).toEqual([]);
});
