import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld, raiseWorld } from '../../src/run/suite-world.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import type { Intent } from '../../src/task/intent.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import type { Task } from '../../src/task/schema.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

const loaded = await loadSuite(path.resolve(import.meta.dirname, '../../suites/protocols'));
if (!loaded.ok) throw new Error('suite protocols does not load');
const suiteWorld = await loadSuiteWorld(loaded.suite);
/** Of each template the first instance: the others differ in their values alone. */
const all = loaded.suite.tasks.map(({ task }) => task);
const firsts = all.filter(({ id }, index) => all.findIndex((each) => each.id === id) === index);

async function follow(task: Task, steps: readonly Intent[]) {
  const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
  const result = await runEpisode({
    task,
    agent: referenceAgent('steps', steps),
    surface: aria,
    browser: await sharedBrowser(),
    world,
    sink: heardSink(),
  });
  await world.close();
  return result;
}

/** Those of the seed's four tasks; `touchstone qualify protocols` runs all. */
function nearMissesOf(task: Task) {
  return task.id.startsWith('T') ? (task.nearMisses ?? []) : [];
}

describe.each(firsts)('$id', (task) => {
  test('passes on the page', async () => {
    const steps = task.solutions?.find((solution) => solution.for === 'page')?.steps ?? [];
    expect(await follow(task, steps)).toMatchObject({ status: 'passed', stop: 'done' });
  });

  test.each(nearMissesOf(task))('does not pass when $why', async ({ steps }) => {
    expect(await follow(task, steps)).toMatchObject({ status: 'failed', stop: 'done' });
  });
});
