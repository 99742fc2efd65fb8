import { describe, expect, it, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import type { PlannedTask } from '../../src/plan/plan.ts';
import { plannedTasks } from '../../src/plan/plan-campaign.ts';
import { agentsOf, listTrials } from '../../src/qualify/trials.ts';
import { groundHash } from '../../src/run/stale-proofs.ts';
import type { Task } from '../../src/task/schema.ts';
import { builtIn } from '../suite-files.ts';

const suite = await builtIn('protocols');
const tasks = suite.tasks.map(({ task }) => task);
const settings = { seed: 1, repetitions: 3, perturbations: 6 };
const NEW_MISS = { why: 'nothing was done', steps: [{ do: 'read' as const }] };
const withOneMore = tasks.map((task) => ({ ...task, nearMisses: [NEW_MISS, ...(task.nearMisses ?? [])] }));
const { agents, controls } = agentsOf(withOneMore, { ...settings, closedBook: null });
const entrants = await Entrants.load({}, null, agents);
const planned = await theTask('add-monitor');

async function theTask(name: string): Promise<PlannedTask> {
  const [found] = await plannedTasks([suite], [name]);
  if (found === undefined) throw new Error('protocols has other tasks now');
  return found;
}

/** The names of the trials that a task needs, and what each of them rests on. */
function keysOf(of: PlannedTask, { hash = 'a'.repeat(64), surface = 'aria' } = {}): Map<string, string | null> {
  const listed = listTrials(of, { suite, entrants, controls, settings, surface, hash });
  return new Map(listed.map(({ id, key }) => [id, key]));
}

const BEFORE = keysOf(planned);
const TOOL_ROUTES = [...BEFORE.keys()].filter((id) => /^reference-\D/.test(id));

/** The trials of the changed task that were not made before. */
function dueAfter(change: (task: Task) => Task): string[] {
  const known = new Set(BEFORE.values());
  return [...keysOf({ ...planned, task: change(planned.task) })].flatMap(([id, key]) => (known.has(key) ? [] : [id]));
}

describe('a changed task has only those trials due that its change concerns', () => {
  it.each<[what: string, change: (task: Task) => Task, due: string[]]>([
    ['its contract', (task) => ({ ...task, success: { kind: 'no_dialog' } }), []],
    ['its guards', ({ guards: _guards, ...task }) => task, []],
    [
      'a near-miss before the others',
      (task) => ({ ...task, nearMisses: [NEW_MISS, ...(task.nearMisses ?? [])] }),
      ['near-miss-1'],
    ],
    ['a near-miss less', (task) => ({ ...task, nearMisses: task.nearMisses?.slice(1) }), []],
    [
      'its solution for tools',
      (task) => ({
        ...task,
        solutions: task.solutions?.map((each) =>
          each.for === 'tools' ? { ...each, steps: each.steps.slice(1) } : each,
        ),
      }),
      TOOL_ROUTES,
    ],
  ])('%s', (_what, change, due) => {
    expect(dueAfter(change)).toEqual(due);
  });

  it('its solution: whatever follows or was made of it, and no near-miss', () => {
    const due = dueAfter((task) => ({
      ...task,
      solutions: task.solutions?.map((each) =>
        each.for === 'page' ? { ...each, steps: [{ do: 'read' }, ...each.steps] } : each,
      ),
    }));
    expect(due).toEqual(expect.arrayContaining(['reference', 'reference-2', 'reference-3', 'teleport']));
    expect(due.filter((id) => /near-miss|null|parrot|quitter|random/.test(id))).toEqual([]);
  });

  it.each<[what: string, change: (task: Task) => Task]>([
    ['its goal', (task) => ({ ...task, goal: 'Add two monitors.' })],
    ['its start', (task) => ({ ...task, startUrl: 'http://invoice.localhost/' })],
    ['its cap of steps', (task) => ({ ...task, maxSteps: 5 })],
    [
      'a page that has to be loaded once more for its contract',
      (task) => ({ ...task, success: { kind: 'dom_text', selector: 'h1', contains: 'x', fresh: true } }),
    ],
  ])('all of them: %s', (_what, change) => {
    expect(dueAfter(change)).toEqual([...BEFORE.keys()]);
  });

  it('all of them: another world, code or browser, and another surface, except for trials without it', () => {
    const known = new Set(BEFORE.values());
    const elsewhere = keysOf(planned, { hash: 'b'.repeat(64) });
    expect([...elsewhere.values()].filter((key) => known.has(key))).toEqual([]);
    const through = [...keysOf(planned, { surface: 'dom' })].filter(([, key]) => known.has(key)).map(([id]) => id);
    expect(through).toEqual(['random', ...TOOL_ROUTES]);
  });
});

test('no trial of one task counts for another', () => {
  expect(new Set(BEFORE.values()).size).toBe(BEFORE.size);
});

test('a ground belongs to one world and one seed', async () => {
  const here = await groundHash({ appHash: 'a', seed: 1 });
  expect(await groundHash({ appHash: 'a', seed: 1 })).toBe(here);
  expect(await groundHash({ appHash: 'b', seed: 1 })).not.toBe(here);
  expect(await groundHash({ appHash: 'a', seed: 2 })).not.toBe(here);
});
