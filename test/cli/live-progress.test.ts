import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { successOf } from '../../src/claim/success.ts';
import { ProgressListener } from '../../src/cli/live/progress.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { plannedEpisode } from '../plan/sample-plan.ts';
import { TURN_ENDED } from '../episode/sample-events.ts';

function at(clock: { ms: number }, isBilled = true): ProgressListener {
  return new ProgressListener({ iterations: 1, isBilled: () => isBilled }, () => clock.ms);
}

const rowFor = (index: number, row: Partial<Row> = {}) =>
  finishRow({ ...SAMPLE, episode_id: plannedEpisode(index).episodeId, plan_index: index, ...row });
const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;

const ended = (cost_usd: number | null): EpisodeEvent => ({
  ...TURN_ENDED,
  tokens_in: 1_000,
  tokens_out: 50,
  cost_usd,
});

test('pace and time left follow from the episodes of this run, not from earlier ones', () => {
  const clock = { ms: 0 };
  const listener = at(clock);
  for (const index of [0, 1, 2, 3]) listener.earlier(rowFor(index));
  listener.planned(10, 4, 1);
  clock.ms = 5_000;
  listener.started(plannedEpisode(4));
  expect(listener.progress).toMatchObject({ done: 4, perMinute: null, leftMs: null, success: { trials: 4 } });
  clock.ms = 15_000;
  listener.finished(rowFor(4));
  listener.started(plannedEpisode(5));
  expect(listener.progress).toMatchObject({ done: 5, perMinute: 6, leftMs: 50_000 });
});

test('between two ends of episodes the time left runs down, and the pace stays', () => {
  const clock = { ms: 0 };
  const listener = at(clock);
  listener.planned(3, 0, 1);
  listener.started(plannedEpisode(0));
  clock.ms = 10_000;
  listener.finished(rowFor(0));
  const left = [10_000, 14_000, 29_000, 45_000].map((ms) => {
    clock.ms = ms;
    return [listener.progress.leftMs, listener.progress.perMinute];
  });
  expect(left).toEqual([
    [20_000, 6],
    [16_000, 6],
    [1_000, 6],
    [0, 6],
  ]);
});

test('the success rate and its interval are those of the report', () => {
  const rows = ['a', 'b', 'c'].flatMap((task, place) =>
    [0, 1, 2].map((index) => rowFor(place * 3 + index, { ...ofTask(task), ...(index <= place ? PASSED : {}) })),
  );
  const copy = rowFor(9, { ...ofTask('a'), task: 'copy-of-a' });
  const listener = at({ ms: 0 });
  for (const row of [...rows, copy]) listener.finished(row);
  expect(listener.progress.success).toEqual(successOf([...rows, copy]).passed);
  expect(listener.progress.success).toMatchObject({ clusters: 3, trials: 10 });
});

test('controls, and cells that cannot run, are no trials', () => {
  const listener = at({ ms: 0 });
  listener.planned(3, 0, 1);
  listener.finished(rowFor(0, { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' }));
  listener.finished(rowFor(1, PASSED));
  expect(listener.progress).toMatchObject({ done: 2, success: { trials: 1, successes: 1 } });
});

test('each worker has a number, which is free again when its episode ends', () => {
  const clock = { ms: 0 };
  const listener = at(clock);
  for (const index of [0, 1, 2]) listener.started(plannedEpisode(index));
  listener.event(plannedEpisode(1), { type: 'call', step: 3, tool: 'click', args: {}, args_blob: null });
  listener.finished(rowFor(0));
  clock.ms = 2_000;
  listener.started(plannedEpisode(3));
  expect(
    listener.progress.atWork.map(({ worker, iteration, doing, sinceMs }) => [worker, iteration, doing.words, sinceMs]),
  ).toEqual([
    [1, 3, 'begins', 0],
    [2, 1, 'step 3: click', 2_000],
    [3, 2, 'begins', 2_000],
  ]);
});

test('spending covers paid agents: in USD at known prices, in tokens at others', () => {
  const [paid, free] = [at({ ms: 0 }), at({ ms: 0 }, false)];
  for (const listener of [paid, free]) {
    for (const cost of [0.25, null]) listener.event(plannedEpisode(0), ended(cost));
    listener.askedFirst({ agent: 'a', modelId: null, calledTool: null, usd: 0.5 });
  }
  expect(paid.progress).toMatchObject({ usd: 0.75, unpricedTokens: 1_050 });
  expect(free.progress).toMatchObject({ usd: null, unpricedTokens: 0 });
});

test('the current activity is shown until the first episode, and again after the last', () => {
  const clock = { ms: 0 };
  const listener = at(clock);
  expect(listener.progress.phase).not.toBeNull();
  clock.ms = 1_000;
  listener.phase('trying the worlds');
  clock.ms = 3_000;
  expect(listener.progress).toMatchObject({ phase: 'trying the worlds', phaseMs: 2_000 });
  listener.started(plannedEpisode(0));
  expect(listener.progress.phase).toBeNull();
  listener.phase('closing the bundle');
  expect(listener.progress.phase).toBe('closing the bundle');
});
