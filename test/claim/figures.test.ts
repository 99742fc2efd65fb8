import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { entrantFigures } from '../../src/claim/figures.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

function row(task: string, status: 'passed' | 'failed', steps: number, plan_index: number) {
  const goal_verdict = status === 'passed' ? 'pass' : 'fail';
  return finishRow({ ...SAMPLE, task, status, goal_verdict, steps, plan_index });
}

test('figures are counted per entrant and task', () => {
  const rows = [row('a', 'passed', 2, 0), row('a', 'failed', 4, 1), row('b', 'passed', 6, 2)];
  const [entrant] = entrantFigures(rows, []);
  expect(entrant).toMatchObject({ episodes: 3, passed: 2, median_steps: 4, statuses: { passed: 2, failed: 1 } });
  expect(Object.values(entrant?.tasks ?? {})).toMatchObject([
    { episodes: 2, passed: 1, median_steps: 3 },
    { episodes: 1, passed: 1, median_steps: 6 },
  ]);
});

test('entrants come in the order of the plan, though the rows are shuffled', () => {
  const rows = ['c', 'a', 'b'].map((agent, index) => ({ ...row('t', 'passed', 2, index), agent }));
  const planned = ['a', 'b'].map((agent) => ({ agent, surface: SAMPLE.surface }));
  expect(entrantFigures(rows, planned).map(({ agent }) => agent)).toEqual(['a', 'b', 'c']);
});

test('no rows, no figures', () => {
  expect(entrantFigures([], [{ agent: 'a', surface: 'aria' }])).toEqual([]);
});
