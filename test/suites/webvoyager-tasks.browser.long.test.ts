import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { parrot } from '../../src/agent/kinds/controls.ts';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import type { Task } from '../../src/task/schema.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { performed } from './performed.ts';
import { suiteIn } from '../suite-files.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../suites/webvoyager');
const suite = await suiteIn(FOLDER);
const suiteWorld = await loadSuiteWorld(suite);

async function run(task: Task, agent: Agent) {
  return await performed(suiteWorld, task, agent);
}

// The trials of `qualify` cover all solutions and near-misses; here is the first of each. An episode mostly waits for its page to
// settle, and each has a context of its own: a task's run side by side.
describe.each(suite.tasks)('$task.id', ({ task }) => {
  test.concurrent.each(task.solutions?.slice(0, 1) ?? [])('passes by its first solution', async ({ steps }) => {
    expect(await run(task, referenceAgent('reference', steps))).toMatchObject({ status: 'passed' });
  });

  // Where nothing is answered, the parrot does no more than the judge has checked at the start of every episode.
  test.each(task.kinds === 'seed' ? [] : [parrot])('does not pass for the $id', async (control) => {
    expect(await run(task, control)).toMatchObject({ status: 'failed', stop: 'done' });
  });

  test.concurrent.each(task.nearMisses?.slice(0, 1) ?? [])('does not pass when $why', async ({ why, steps }) => {
    expect(await run(task, referenceAgent(why, steps, 'breaks'))).toMatchObject({ status: 'failed', stop: 'done' });
  });
});

test('every transcript through playwright-mcp replays, passes, and is called a facsimile', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const gate = ['--baseline', path.join(FOLDER, 'baseline.json'), '--out', bundle];
  const ran = await touchstone('run', FOLDER, '--agent', 'transcript', '--surface', 'playwright-mcp', ...gate);
  expect(ran.out).toContain('25 passed, 25 expected');
  expect(ran.exit).toBe(0);
  expect(JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'))).toMatchObject({
    complete: true,
    world_kinds: ['facsimile'],
    modes: ['replay'],
    entrants: [{ passed: 25, episodes: 25 }],
  });
});
