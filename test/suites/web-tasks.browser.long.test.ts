import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { givenFiles } from '../../src/plan/plan-campaign.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { rowsOf } from '../cli/bundle-files.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtIn } from '../suite-files.ts';
import { performed } from './performed.ts';

const suite = await builtIn('web');
const suiteWorld = await loadSuiteWorld(suite);

/** Limits of `aria`: its tree lacks closed shadow roots and painted places, and it waits until an element stops moving. */
const BEYOND_ARIA = new Set(['shadow-closed', 'canvas', 'moving']);

/** Its frame holds up each look of `aria` for seconds, longer than a near-miss may wait. */
const SLOW = 'frame-endless';
const tried = suite.tasks.filter(({ task }) => task.id !== SLOW && !BEYOND_ARIA.has(task.id));

describe.each(tried)('$task.id', ({ task }) => {
  test.each(task.nearMisses ?? [])('does not pass when $why', async ({ why, steps }) => {
    const files = await givenFiles(suite, task);
    const result = await performed(suiteWorld, task, referenceAgent(why, steps, 'breaks'), { files });
    expect(result).toMatchObject({ status: 'failed', stop: 'done' });
  });
});

test('reference passes every situation that aria can do, and no other', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', 'web', '--agent', 'reference', '--surface', 'aria', '--out', bundle);
  const others = (await rowsOf(bundle)).flatMap(({ task, status }) => (status === 'passed' ? [] : [task]));
  expect(new Set(others)).toEqual(BEYOND_ARIA);
});

test.each([
  ['webmcp', ['webmcp-tool', 'webmcp-form', 'webmcp-form-waits']],
  ['nac3', ['nac3-form']],
])('reference passes the group %s by what the page declares, too', async (surface, tasks) => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const chosen = ['--task', tasks.join(), '--agent', 'reference', '--surface', surface];
  await touchstone('run', 'web', ...chosen, '--out', bundle);
  const ends = (await rowsOf(bundle)).map(({ task, status }) => [task, status]);
  expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(tasks.map((task) => [task, 'passed'])));
});
