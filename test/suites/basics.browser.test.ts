import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/reference.ts';
import { loadSuiteWorld, raiseWorld } from '../../src/run/suite-world.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

const loaded = await loadSuite(path.resolve(import.meta.dirname, '../../suites/basics'));
if (!loaded.ok) throw new Error('suite basics does not load');
const suiteWorld = await loadSuiteWorld(loaded.suite);

describe.each(loaded.suite.tasks)('$task.id', ({ task }) => {
  test.each(task.nearMisses ?? [])('does not pass when $why', async ({ why, steps }) => {
    const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
    const result = await runEpisode({
      task,
      agent: referenceAgent(why, steps),
      surface: aria,
      browser: await sharedBrowser(),
      world,
      sink: heardSink(),
    });
    await world.close();
    expect(result).toMatchObject({ status: 'failed', stop: 'done' });
  });
});
