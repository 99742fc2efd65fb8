import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import type { Intent } from '../../src/task/intent.ts';
import type { Task } from '../../src/task/schema.ts';
import { OWN_MINIWOB } from '../dataset/own-miniwob.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { performed } from '../suites/performed.ts';
import { touchstone } from './touchstone.ts';

async function imported(seeds = 2) {
  const checkout = await folderOf(OWN_MINIWOB, 'checkout');
  const folder = path.join(checkout, '../suite');
  const result = await touchstone('import', 'miniwob', checkout, '--out', folder, '--seeds', String(seeds));
  const dataset = JSON.parse(await readFile(path.join(folder, 'dataset.json'), 'utf8'));
  return { ...result, checkout, folder, dataset };
}

test('an import writes a valid suite with a task for each page and seed, and lists what it leaves out', async () => {
  const { exit, folder, dataset } = await imported(6);
  expect(exit).toBe(1);
  const { tasks } = await suiteIn(folder);
  const covered = dataset.excluded.filter(({ id }: { id: string }) => id === 'click-test-2');
  expect(dataset).toMatchObject({ dataset: 'miniwob', licence: 'MIT', commit: null, counts: { draft: tasks.length } });
  expect(tasks).toHaveLength(30 - covered.length);
  expect(covered.length).toBeGreaterThan(0);
  expect(covered[0]).toMatchObject({
    seed: expect.any(Number),
    why: 'its target #subbtn is covered by button#subbtn2',
  });
  expect(dataset.excluded).toContainEqual(expect.objectContaining({ id: 'flight.AA', seed: null, line: 26 }));
  expect(dataset.excluded).toContainEqual(
    expect.objectContaining({ id: 'moving-target', line: 22, why: expect.stringContaining('does not exist') }),
  );
  expect(await touchstone('validate', folder)).toMatchObject({ exit: 0 });
});

test('the goal of a task is the one that its page shows for its seed', async () => {
  const { folder } = await imported(3);
  const { tasks } = await suiteIn(folder);
  const goals = tasks.filter(({ task }) => task.id === 'click-checkboxes').map(({ task }) => task.goal);
  expect(goals).toHaveLength(3);
  expect(goals.every((goal) => /^Select .+ and click Submit\.$/.test(goal))).toBe(true);
  expect(new Set(goals).size).toBeGreaterThan(1);
});

/** Does these steps, as a solution of the task. */
async function verdict(folder: string, of: (task: Task) => boolean, steps: (goal: string) => Intent[]) {
  const suite = await suiteIn(folder);
  const found = suite.tasks.find(({ task }) => of(task))?.task;
  if (found === undefined) throw new Error('no such task');
  const { status } = await performed(await loadSuiteWorld(suite), found, referenceAgent('steps', steps(found.goal)));
  return status;
}

const click = (name: string, role = 'button'): Intent => ({ do: 'click', role, name });
const namesIn = (goal: string): string[] => /^Select (.+) and click/.exec(goal)?.[1]?.split(', ') ?? [];
const hasNames = ({ id, goal }: Task): boolean => id === 'click-checkboxes' && !goal.includes('nothing');

test('a correct end passes; a part of it and an incorrect end fail', async () => {
  const { folder } = await imported(4);
  const boxes = (goal: string): Intent[] => namesIn(goal).map((name) => click(name, 'checkbox'));
  expect(await verdict(folder, hasNames, (goal) => [...boxes(goal), click('Submit')])).toBe('passed');
  expect(await verdict(folder, hasNames, (goal) => [...boxes(goal).slice(1), click('Submit')])).toBe('failed');
  expect(await verdict(folder, hasNames, boxes)).toBe('failed');
  const isPick = ({ id }: Task): boolean => id === 'click-shape';
  expect(await verdict(folder, isPick, (goal) => [click(/^Press (\w+)/.exec(goal)?.[1] ?? '')])).toBe('passed');
  expect(await verdict(folder, isPick, (goal) => [click(goal.includes('Amber') ? 'Birch' : 'Amber')])).toBe('failed');
});

test('an end for which a page pays fails if the document does not show what its goal asks for', async () => {
  const { folder } = await imported(1);
  const isButton = ({ id }: Task): boolean => id === 'click-button';
  expect(await verdict(folder, isButton, () => [click('Amber')])).toBe('passed');
  expect(await verdict(folder, isButton, () => [click('Birch')])).toBe('failed');
  const isItem = ({ id }: Task): boolean => id === 'use-autocomplete';
  const entered = (text: string): Intent[] => [{ do: 'fill', label: 'Tags:', text }, click('Submit')];
  expect(await verdict(folder, isItem, () => entered('Amber'))).toBe('passed');
  expect(await verdict(folder, isItem, () => entered('Amb'))).toBe('failed');
});

test('a checkout that has changed since the import is refused, with its hash', async () => {
  const { checkout, folder } = await imported(1);
  await writeFile(path.join(checkout, 'miniwob/html/core/core.js'), 'core.endEpisode(1);', { flag: 'a' });
  const { exit, err } = await touchstone('run', folder, '--agent', 'null');
  expect(exit).not.toBe(0);
  expect(err).toContain('is not as it was when the suite was written');
});

test('a folder that is not a checkout is refused', async () => {
  const folder = await folderOf({ 'README.md': 'x' }, 'other');
  const { exit, err } = await touchstone('import', 'miniwob', folder, '--out', path.join(folder, 'suite'));
  expect(exit).toBe(2);
  expect(err).toContain('miniwob/registration.py');
});
