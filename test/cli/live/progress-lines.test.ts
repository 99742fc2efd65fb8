import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { widthOf } from '../../../src/cli/layout.ts';
import type { CampaignProgress } from '../../../src/cli/live/progress.ts';
import { progressLines, progressSentence } from '../../../src/cli/live/progress-lines.ts';
import { clusteredProportion } from '../../../src/stats/clustered-proportion.ts';
import { MIDDLE } from './sample-progress.ts';

const drawn = (columns: number, progress: Partial<CampaignProgress> = {}, rows = 24): string[] =>
  progressLines({ ...MIDDLE, ...progress }, { columns, rows }).map(stripVTControlCharacters);

test('a wide terminal has a bar, all figures, and a line for each worker', () => {
  const [status, ...workers] = drawn(120);
  expect(status).toMatch(/^━+─+ {2}52\/240 {2}71 % \(49–86\) passed {2}10 min left {2}18\/min {2}0\.4211 USD$/);
  expect(workers).toEqual([
    expect.stringContaining('claude-sonnet-4-6/aria'),
    expect.stringContaining('turn 12: the model is asked'),
  ]);
});

test('a narrower one has a line with the most important first, then what is being done', () => {
  expect(drawn(99)).toEqual([expect.stringMatching(/52\/240 .* send, checkout@pears$/)]);
  expect(drawn(30)).toEqual(['52/240  71 % (49–86) passed …']);
});

test('no line is as wide as the terminal, whatever stands in it', () => {
  const wide = { ...MIDDLE.atWork[0], task: 'x'.repeat(200) };
  const hostile = 'step 1: \u001b[2J\u202e点击'.repeat(20);
  const cases: Partial<CampaignProgress>[] = [
    {},
    { unpricedTokens: 1_234_567 },
    { total: 1_000_000, done: 999_999, perMinute: 1_234, leftMs: 360_000_000 },
    { phase: 'raising the worlds '.repeat(20) },
    { atWork: MIDDLE.atWork.map((each) => ({ ...each, ...wide, doing: { at: 'step 1', words: hostile } })) },
  ];
  for (const progress of cases) {
    for (const columns of [20, 40, 60, 80, 99, 100, 120, 200]) {
      for (const line of drawn(columns, progress)) {
        expect(widthOf(line)).toBeLessThan(columns);
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    }
  }
});

test('a terminal of few rows has few lines of workers, and counts the rest', () => {
  const atWork = Array.from({ length: 32 }, (_, index) =>
    MIDDLE.atWork.slice(0, 1).map((one) => ({ ...one, worker: index + 1 })),
  ).flat();
  expect(drawn(120, { atWork }, 24).at(-1)).toBe('     and 25 more episodes');
  expect(drawn(120, { atWork }, 8)).toHaveLength(5);
  expect(drawn(99, { atWork })).toEqual([expect.stringContaining('send ×32')]);
});

test('figures that are not known are left out', () => {
  const success = clusteredProportion([]);
  const unknown = { done: 0, success, perMinute: null, leftMs: null, usd: null, atWork: [] };
  expect(drawn(80, unknown)).toEqual(['──────────  0/240']);
  expect(drawn(80, { leftMs: 0 })[0]).not.toContain('left');
  const oneTask = clusteredProportion([{ successes: 1, trials: 2 }]);
  expect(drawn(80, { success: oneTask })[0]).toContain('50 % passed');
  expect(drawn(99, { usd: null, unpricedTokens: 12_345, atWork: [] })[0]).toContain('12k tokens');
});

test('before the first episode it states the work and its time so far', () => {
  const phase = { phase: 'trying the worlds', phaseMs: 3_400, total: 0, done: 0 };
  expect(drawn(80, phase)).toEqual(['trying the worlds  3 s']);
  expect(progressSentence({ ...MIDDLE, phase: 'closing the bundle', phaseMs: 1_000 })).toBe(
    '52/240  closing the bundle  1 s',
  );
});

test('a log gets a sentence', () => {
  expect(progressSentence(MIDDLE)).toBe(
    '52/240; 71 % (49–86) passed; 10 min left; 18/min; 0.4211 USD; doing send, checkout@pears',
  );
});
