import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Course } from '../../../src/cli/live/course.ts';
import { courseLines, courseSentence } from '../../../src/cli/live/course-text.ts';
import { widthOf } from '../../../src/cli/layout.ts';
import { clusteredProportion } from '../../../src/stats/clustered-proportion.ts';
import { MIDDLE } from './sample-course.ts';

const drawn = (columns: number, course: Partial<Course> = {}, rows = 24): string[] =>
  courseLines({ ...MIDDLE, ...course }, { columns, rows }).map(stripVTControlCharacters);

test('120 columns have a bar, all figures in words, and a line for each worker', () => {
  expect(drawn(120)).toEqual([
    '━━━━━───────────────────  52/240  37 of 52 passed, 71 % (49–86)  18/min  0.4211 USD  10 min left',
    '  1  send #2            claude-sonnet-4-6/aria    12 s  step 3: click',
    '  2  checkout@pears #2  claude-sonnet-4-6/aria    12 s  turn 12: the model is asked',
  ]);
});

test('80 columns have one line, with as much of what is being done as there is room for', () => {
  expect(drawn(80)).toEqual(['━━────────  52/240  71 % (49–86)  18/min  0.4211 USD  10 min left  send +1']);
  expect(drawn(80, { usd: null })).toEqual([
    '━━────────  52/240  71 % (49–86)  18/min  10 min left  send (step 3) and 1 more',
  ]);
});

test('40 columns have what tells most', () => {
  expect(drawn(40)).toEqual(['52/240 71% (49–86) 18/min $0.4211 10min']);
  expect(drawn(30)).toEqual(['52/240 71% (49–86) 10min']);
  expect(drawn(8)).toEqual(['52/240']);
});

test('one worker is told of in words', () => {
  const [first] = MIDDLE.atWork;
  expect(first).toBeDefined();
  expect(drawn(80, { usd: null, atWork: first === undefined ? [] : [first] })).toEqual([
    '━━────────  52/240  71 % (49–86)  18/min  10 min left  send: step 3: click',
  ]);
});

test('no line is as wide as the terminal, whatever stands in it', () => {
  const wide = { ...MIDDLE.atWork[0], task: 'x'.repeat(200) };
  const hostile = 'step 1: \u001b[2J\u202e点击'.repeat(20);
  const courses: Partial<Course>[] = [
    {},
    { unpricedTokens: 1_234_567 },
    { total: 1_000_000, done: 999_999, perMinute: 1_234, leftMs: 360_000_000 },
    { phase: 'raising the worlds '.repeat(20) },
    { atWork: MIDDLE.atWork.map((each) => ({ ...each, ...wide, doing: { at: 'step 1', words: hostile } })) },
  ];
  for (const course of courses) {
    for (const columns of [20, 40, 60, 80, 99, 100, 120, 200]) {
      for (const line of drawn(columns, course)) {
        expect(widthOf(line)).toBeLessThan(columns);
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    }
  }
});

test('a terminal of few rows has few lines of workers, and the rest is counted', () => {
  const atWork = Array.from({ length: 32 }, (_, index) =>
    MIDDLE.atWork.slice(0, 1).map((one) => ({ ...one, worker: index + 1 })),
  );
  const course = { atWork: atWork.flat() };
  expect(drawn(120, course, 24)).toHaveLength(9);
  expect(drawn(120, course, 24).at(-1)).toBe('     and 25 more episodes');
  expect(drawn(120, course, 8)).toHaveLength(5);
  expect(drawn(80, course)).toEqual(['━━────────  52/240  71 % (49–86)  18/min  0.4211 USD  10 min left  send ×32']);
});

test('a task that several are at is named once, with how many they are', () => {
  const [send, checkout] = MIDDLE.atWork;
  const atWork = [send, checkout, send].flatMap((each) => each ?? []);
  expect(drawn(80, { usd: null, atWork })).toEqual([expect.stringMatching(/10 min left {2}send ×2, checkout@pears$/)]);
});

test('what is not known yet is left out', () => {
  const success = clusteredProportion([]);
  expect(drawn(80, { done: 0, success, perMinute: null, leftMs: null, usd: null, atWork: [] })).toEqual([
    '──────────  0/240',
  ]);
});

test.each([
  [80, 10],
  [120, 24],
])('in %i columns the bar has %i, whatever stands beside it', (columns, bar) => {
  const [first] = MIDDLE.atWork;
  const atWork = first === undefined ? [] : [{ ...first, task: 'a-task-with-a-rather-long-name' }];
  const courses: Partial<Course>[] = [{}, { atWork: [] }, { atWork }, { usd: null }, { leftMs: null, atWork }];
  for (const course of courses) expect(drawn(columns, course)[0]?.search(/[^━─]/u)).toBe(bar);
});

test('where the time that was left is up, none is promised', () => {
  expect(drawn(80, { leftMs: 0 })[0]).not.toContain('left');
  expect(courseSentence({ ...MIDDLE, leftMs: 0 })).not.toContain('left');
});

test('an interval is not promised of one task', () => {
  const success = clusteredProportion([{ successes: 1, trials: 2 }]);
  expect(drawn(80, { success, atWork: [] })[0]).toContain('1 of 2 passed, 50 %  18/min');
});

test('tokens stand in for a price that is not known', () => {
  expect(drawn(80, { usd: null, unpricedTokens: 12_345, atWork: [] })[0]).toContain('12k tokens');
  expect(drawn(80, { unpricedTokens: 12_345, atWork: [] })[0]).toContain('0.4211 USD + 12k tokens');
  expect(drawn(40, { usd: null, unpricedTokens: 12_345 })[0]).toContain('12ktok');
});

test('before the first episode it says what it is busy with, and for how long', () => {
  expect(drawn(80, { phase: 'trying the worlds', phaseMs: 3_400, total: 0, done: 0 })).toEqual([
    'trying the worlds  3 s',
  ]);
});

test('a log gets a sentence', () => {
  expect(courseSentence(MIDDLE)).toBe(
    '52 of 240 done; 37 of 52 passed: 71 % (49–86); 18 a minute; 0.4211 USD; about 10 min left; doing send (step 3), checkout@pears (turn 12)',
  );
  expect(courseSentence({ ...MIDDLE, phase: 'closing the bundle', phaseMs: 1_000 })).toBe(
    '52/240  closing the bundle  1 s',
  );
});
