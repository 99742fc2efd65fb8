import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import type { Intent } from '../../src/task/intent.ts';
import { PLAYABLE_NOTES } from '../dataset/own-infinity.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { performed } from '../suites/performed.ts';
import { touchstone } from './touchstone.ts';

async function imported(files: Record<string, string> = {}) {
  const checkout = await folderOf({ ...PLAYABLE_NOTES, ...files }, 'checkout');
  const folder = path.join(checkout, '../suites');
  const result = await touchstone('import', 'webarena-infinity', checkout, '--out', folder);
  return { ...result, folder };
}

test('an import writes a valid suite for each app, and lists the tasks with their standing', async () => {
  const same = PLAYABLE_NOTES['apps/notes/sanity_check_real.py']?.replace('["done"] = True', '["done"] = False') ?? '';
  const { exit, out, folder } = await imported({ 'apps/notes/sanity_check_real.py': same });
  expect(exit).toBe(0);
  expect(out).toContain('notes/task_e1: needs a contract: its right end is its start');
  expect(JSON.parse(await readFile(path.join(folder, 'dataset.json'), 'utf8'))).toMatchObject({
    counts: { draft: 1, 'needs a contract': 1 },
  });
  expect(await touchstone('validate', path.join(folder, 'notes'))).toMatchObject({ exit: 0 });
});

const add = (title: string): Intent[] => [
  { do: 'fill', label: 'Title', text: title },
  { do: 'click', role: 'button', name: 'Add' },
  { do: 'wait_for', text: title },
  { do: 'settle' },
];
const forge: Intent[] = [{ do: 'click', role: 'button', name: 'Forge' }, { do: 'settle' }];

test.each([
  ['passes when the note is added', add('Salt'), 'passed'],
  ['fails when another note is added, too', [...add('Salt'), ...add('Rice')], 'failed'],
  ['fails when the state was not sent by the scripts of the page', forge, 'failed'],
  ['fails when such a state was refused before the note is added', [...forge, ...add('Salt')], 'failed'],
])('a task %s', async (_, steps, status) => {
  const suite = await suiteIn(path.join((await imported()).folder, 'notes'));
  const task = suite.tasks.find(({ task: { id } }) => id === 'task_e2')?.task;
  if (task === undefined) throw new Error('no such task');
  const done = await performed(await loadSuiteWorld(suite), task, referenceAgent('steps', steps));
  expect(done.status).toBe(status);
});
