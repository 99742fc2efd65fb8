import { expect, it, test } from 'vitest';
import { slowestLines } from './slowest-reporter.ts';
import { MinutesReporter } from './minutes-reporter.ts';

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

it('lists all if there are fewer than requested', () => {
  expect(slowestLines([QUICK], 2)).toEqual(['    0.0 s  a.test.ts > quick']);
  expect(slowestLines([], 2)).toEqual([]);
});

test('a long run reports once a minute how many of its files have ended', () => {
  let now = 1000;
  let said = '';
  const reporter = new MinutesReporter(
    () => now,
    (text) => {
      said += text;
    },
  );
  reporter.onTestRunStart([{ moduleId: 'a' }, { moduleId: 'b' }, { moduleId: 'c' }, { moduleId: 'd' }]);
  for (const ms of [59_999, 1, 1, 180_000]) {
    now += ms;
    reporter.onTestModuleEnd();
  }
  expect(said).toBe('after 1 min: 2 of 4 files\nafter 4 min: 4 of 4 files\n');
});
