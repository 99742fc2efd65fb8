import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { entrantScores } from '../../src/claim/scores.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
const TASKS = ['checkout', 'search', 'sort'].map((task) => ({
  suite: 'basics',
  task,
  instance: 'default',
  isSeed: task !== 'sort',
}));
const [ENTRANT] = [{ agent: SAMPLE.agent, surface: SAMPLE.surface }];

function row(task: string, changes: Partial<typeof SAMPLE> = {}): Row {
  return finishRow({ ...SAMPLE, task, ...changes });
}

function scoresOf(rows: readonly Row[]) {
  const [scores] = entrantScores(rows, TASKS, [ENTRANT]);
  if (scores === undefined) throw new Error('there are no scores');
  return scores;
}

test('the tasks of the seed have their own score', () => {
  const scores = scoresOf([row('checkout', PASSED), row('search'), row('sort', PASSED)]);
  expect(scores).toMatchObject({ seed: { passed: 1, tasks: 2 }, beyond_seed: { passed: 1, tasks: 1 } });
});

test('without tasks of the seed there is no score of them', () => {
  const [scores] = entrantScores([row('sort', PASSED)], TASKS.slice(2), [ENTRANT]);
  expect(scores).toMatchObject({ seed: null, beyond_seed: { passed: 1, tasks: 1 } });
});

test('a task counts as passed if every repetition passed, and shows how many did', () => {
  const rows = [row('checkout', PASSED), row('checkout', { iteration: 1 }), row('search', PASSED)];
  const { seed, tasks } = scoresOf(rows);
  expect(seed).toEqual({ passed: 1, tasks: 2 });
  expect(tasks[0]).toMatchObject({ result: 'failed', repetitions: 2, repetitions_passed: 1 });
  expect(tasks[0]?.failed_contract).toEqual(SAMPLE.failed_contract);
});

test('episodes that ended early are in the denominator', () => {
  const early = row('search', { status: 'max_steps', stop: 'max_steps', declared_done: false });
  expect(scoresOf([row('checkout', PASSED), early]).seed).toEqual({ passed: 1, tasks: 2 });
});

test('instances of a task are tasks', () => {
  const two = ['pears', 'figs'].map((instance) => ({
    ...TASKS[0],
    suite: 'basics',
    task: 'checkout',
    isSeed: false,
    instance,
  }));
  const rows = [row('checkout', { ...PASSED, instance: 'pears' }), row('checkout', { instance: 'figs' })];
  expect(entrantScores(rows, two, [ENTRANT])[0]?.beyond_seed).toEqual({ passed: 1, tasks: 2 });
});

test('costs are added up, and unknown if one of them is', () => {
  const known = row('checkout', { cost_usd: 0.25 });
  const unknown = row('search', { cost_usd: null, null_reasons: { ...SAMPLE.null_reasons, cost_usd: 'no price' } });
  expect(scoresOf([known, row('sort', { cost_usd: 0.5 })]).cost_usd).toBe(0.75);
  expect(scoresOf([known, unknown]).cost_usd).toBeNull();
});
