import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld, raiseWorld } from '../../src/run/suite-world.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { withCredentials } from '../../src/task/auth.ts';
import type { Intent } from '../../src/task/intent.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import type { Task } from '../../src/task/schema.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';
import { signedIn } from './signed-in.ts';

const loaded = await loadSuite(path.resolve(import.meta.dirname, '../../suites/account'));
if (!loaded.ok) throw new Error('suite account does not load');
const { suite } = loaded;
const suiteWorld = await loadSuiteWorld(suite);
const tasks = suite.tasks.map(({ task }) => withCredentials(task, suite.credentials));

async function statusOf(task: Task, name: string, steps: readonly Intent[]): Promise<string> {
  const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
  const { status } = await runEpisode({
    task,
    agent: referenceAgent(name, steps),
    surface: aria,
    browser: await sharedBrowser(),
    world,
    sink: heardSink(),
    ...(await signedIn(suite, suiteWorld, task)),
  });
  await world.close();
  return status;
}

describe.each(tasks)('$id', (task) => {
  test('passes by its solution', async () => {
    expect(await statusOf(task, 'solution', task.solutions?.[0]?.steps ?? [])).toBe('passed');
  });

  test.each(task.nearMisses ?? [])('and does not pass when $why', async ({ why, steps }) => {
    expect(await statusOf(task, why, steps)).toBe('failed');
  });
});
