import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld, raiseWorld } from '../../src/run/suite-world.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { touchstone } from '../cli/touchstone.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const loaded = await loadSuite(path.resolve(import.meta.dirname, '../../suites/basics'));
if (!loaded.ok) throw new Error('suite basics does not load');
const suiteWorld = await loadSuiteWorld(loaded.suite);

describe.each(loaded.suite.tasks)('$task.id', ({ task }) => {
  test.each(task.nearMisses ?? [])('does not pass when $why', async ({ why, steps }) => {
    const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
    const result = await runEpisode({
      task,
      agent: referenceAgent(why, steps, 'breaks'),
      surface: aria,
      browser: await sharedBrowser(),
      world,
      sink: heardSink(),
    });
    await world.close();
    expect(result).toMatchObject({ status: 'failed', stop: 'done' });
  });
});

test('reference passes all of basics, null and parrot none, and every verdict holds when judged again', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', 'basics', '--agent', 'reference,null,parrot', '--out', bundle);
  expect(ran).toMatchObject({ exit: 0, err: expect.stringMatching(/^24 episodes planned; /) });
  const { entrants } = JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
  const passed = entrants.map((entrant: { agent: string; passed: number }) => [entrant.agent, entrant.passed]);
  expect(Object.fromEntries(passed)).toEqual({ reference: 8, null: 0, parrot: 0 });
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0, out: '24 episodes judged again, 24 agree\n' });
});
