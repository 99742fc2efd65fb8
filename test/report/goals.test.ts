import { describe, expect, it, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { goalKey, goalsOf } from '../../src/report/goals.ts';
import { reportPage } from '../../src/report/html/page.ts';
import { defineTask } from '../../src/task/validate.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from './drawn-report.ts';

const ENTRANTS = [{ agent: SAMPLE.agent, surface: SAMPLE.surface }];

function planned(goal: string, name?: string) {
  const task = defineTask({
    id: 'checkout',
    title: 'Check out',
    startUrl: 'http://shop.localhost/',
    goal,
    success: { kind: 'no_dialog' },
    ...(name === undefined ? {} : { instance: { name, parameters: {} } }),
  });
  return { suite: 'basics', task };
}

describe('the goals of a report', () => {
  it('have each instance once, whatever faults are planned in it', () => {
    const goals = goalsOf([planned('Buy a lamp.'), planned('Buy a lamp.'), planned('Buy a chair.', 'chair')]);
    expect(goals.map((each) => [goalKey(each), each.goal])).toEqual([
      ['basics/checkout', 'Buy a lamp.'],
      ['basics/checkout@chair', 'Buy a chair.'],
    ]);
  });

  it('are on one line, and cut if they are long, even in the middle of a character', () => {
    const [first, second] = goalsOf([planned('\nBuy\n  a lamp. '), planned(`x${'😀'.repeat(400)}`, 'long')]);
    expect(first?.goal).toBe('Buy a lamp.');
    expect(second?.goal).toHaveLength(401);
    expect(second?.goal.endsWith('\u{1F600}\uFFFD…')).toBe(true);
  });
});

test('a report states the number of instances of a task', () => {
  const goals = goalsOf([planned('Buy a lamp.', 'lamp'), planned('Buy a chair.', 'chair')]);
  const page = reportPage(drawnReport(1, [finishRow(SAMPLE)], ENTRANTS, goals));
  expect(page).toContain('>Buy a lamp. (and 1 more like it)</span></th>');
});
