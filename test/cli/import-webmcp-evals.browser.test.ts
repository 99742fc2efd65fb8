import path from 'node:path';
import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { webmcp } from '../../src/surface/app-tools/webmcp.ts';
import type { Intent } from '../../src/task/intent.ts';
import { OWN_EVALS } from '../dataset/own-evals.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { performed } from '../suites/performed.ts';
import { touchstone } from './touchstone.ts';

async function imported() {
  const checkout = await folderOf(OWN_EVALS, 'checkout');
  const folder = path.join(checkout, '../suite');
  return { folder, ...(await touchstone('import', 'webmcp-evals', checkout, '--out', folder)) };
}

test('an import writes a valid suite of the evals with a contract and tools, and prints why others have none', async () => {
  const { exit, out, folder } = await imported();
  expect(exit).toBe(0);
  expect(out).toContain('house-Bright: expects $gte 8,');
  expect((await suiteIn(folder)).tasks.map(({ task }) => task.id)).toEqual(['house-Move-and-light']);
  expect(await touchstone('validate', folder)).toMatchObject({ exit: 0 });
});

const move: Intent = { do: 'call', tool: 'move', args: { item: 'the lamp', room: 'hall' } };
const light = (level: number): Intent => ({ do: 'call', tool: 'light', args: { level } });

test('through webmcp, the expected calls pass; a wrong argument, none, one more and another order fail', async () => {
  const suite = await suiteIn((await imported()).folder);
  const world = await loadSuiteWorld(suite);
  const [first] = suite.tasks;
  if (first === undefined) throw new Error('the suite has no task');
  const statusOf = async (...steps: Intent[]): Promise<string> =>
    (await performed(world, first.task, referenceAgent('steps', steps), { surface: webmcp })).status;
  expect(await statusOf(move, light(3))).toBe('passed');
  expect(await statusOf(move, light(4))).toBe('failed');
  expect(await statusOf()).toBe('failed');
  expect(await statusOf(move, light(3), light(3))).toBe('failed');
  expect(await statusOf(light(3), move)).toBe('failed');
});
