import { describe, expect, it } from 'vitest';
import { smallestShown } from '../../src/claim/smallest-shown.ts';
import { smallestDetectable } from '../../src/stats/difference.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';

const TASKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const rowsOf = (surface: string, tasks: readonly string[], episodes = 1) =>
  tasks.flatMap((task) => Array.from({ length: episodes }, () => ({ ...SAMPLE, ...ofTask(task), surface })));

describe('the smallest difference that rows can show', () => {
  it('is, for one entrant, what it could show against another like it', () => {
    expect(smallestShown(rowsOf('aria', TASKS))).toBe(smallestDetectable(8, 1, 1));
    expect(smallestShown(rowsOf('aria', TASKS.slice(0, 5)))).toBeNull();
    expect(smallestShown([])).toBeNull();
  });

  it('rests on the tasks that both have run, and on the fewest episodes of one', () => {
    const rows = [...rowsOf('aria', TASKS, 3), ...rowsOf('dom', TASKS.slice(0, 7), 2)];
    expect(smallestShown(rows)).toBe(smallestDetectable(7, 2, 1));
  });

  it('is missing if the two have run different tasks, however many', () => {
    expect(smallestShown([...rowsOf('aria', TASKS), ...rowsOf('dom', ['z'])])).toBeNull();
    expect(smallestShown([...rowsOf('aria', TASKS), ...rowsOf('dom', ['a'])])).toBeNull();
  });

  it('is that of the pair that can show the least, for as many pairs as are tested', () => {
    const both = [...rowsOf('aria', TASKS), ...rowsOf('dom', TASKS)];
    expect(smallestShown([...both, ...rowsOf('pixels', ['z'])])).toBe(smallestDetectable(8, 1, 1));
    expect(smallestShown([...both, ...rowsOf('pixels', TASKS.slice(0, 6))])).toBe(smallestDetectable(8, 1, 3));
    const six = TASKS.slice(0, 6);
    const three = [...rowsOf('aria', six), ...rowsOf('dom', six), ...rowsOf('pixels', six)];
    expect([smallestShown(three), smallestShown(three.filter(({ surface }) => surface !== 'dom'))]).toEqual([
      null,
      smallestDetectable(6, 1, 1),
    ]);
  });

  it('is not lowered by what could not run', () => {
    const absent = rowsOf('dom', TASKS).map((row) => ({ ...row, status: 'unavailable' as const }));
    expect(smallestShown([...rowsOf('aria', TASKS), ...absent])).toBe(smallestDetectable(8, 1, 1));
  });
});
