import { expect, test } from 'vitest';
import { againSentence } from '../../scripts/web-again.ts';
import type { Situations } from '../../src/report/situations.ts';

/** A run of one surface whose situations passed or not. */
function run(outcomes: Readonly<Record<string, boolean>>, surface = 'aria'): Situations {
  const cells = Object.entries(outcomes).map(([task, passes]) => {
    const end = passes ? ('passed' as const) : ('other_end' as const);
    return [task, { passed: Number(passes), of: 1, end, why: null }] as const;
  });
  const figures = { version: null, tool_list_tokens: null, reply_tokens: null, call_ms: null, episode_ms: null };
  return {
    suite: 'web',
    day: '2026-11-29',
    groups: [],
    surfaces: [{ surface, ...figures, cells: Object.fromEntries(cells) }],
  };
}

test('a second run with the same outcomes changed none, which bounds the share that chance decides', () => {
  expect(againSentence(run({ a: true, b: false }), run({ a: true, b: false }))).toBe(
    'A second run of 1 surfaces, `docs/bundles/web-again.zip`, on 2026-11-29 changed the outcome of 0 of 2 cells (0.0 %; 95 % interval 0.0–65.8).',
  );
});

test('cells with another outcome are named with it', () => {
  expect(againSentence(run({ a: true, b: false, c: true }), run({ a: false, b: true, c: true }))).toContain(
    'changed the outcome of 2 of 3 cells (66.7 %; 95 % interval 20.8–93.9): a through aria (no longer passed), b through aria (now passed).',
  );
});

test('cells of only one of the runs are not compared', () => {
  expect(againSentence(run({ a: true }), run({ a: true, b: true }))).toContain('0 of 1 cells');
  expect(againSentence(run({ a: true }), run({ a: true }, 'dom'))).toContain('0 of 0 cells.');
});
