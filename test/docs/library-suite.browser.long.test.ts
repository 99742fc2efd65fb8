import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld, raiseWorld } from '../../src/run/suite-world.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { touchstone } from '../cli/touchstone.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeLibrarySuite } from './library-suite.ts';

test('what reference did there can be recorded, instances too, and is then repeated under a baseline', async () => {
  const suite = await writeLibrarySuite();
  const [first, second, baseline] = ['first', 'second', 'baseline.json'].map((name) => path.join(suite, '..', name));
  await touchstone('run', suite, '--out', String(first));
  const accepted = await touchstone('transcripts', String(first), suite, '--accept', '--baseline', String(baseline));
  expect(accepted).toMatchObject({ exit: 0 });
  const again = ['--agent', 'transcript', '--baseline', String(baseline), '--out', String(second)];
  const { exit, out } = await touchstone('run', suite, ...again);
  expect(out).toContain('4 passed, 4 expected');
  expect(exit).toBe(0);
});

test('its tasks qualify, though the trials be few', async () => {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const suite = await writeLibrarySuite();
  const few = ['--repetitions', '1', '--perturbations', '2', '--out', path.join(suite, '../trials')];
  const { exit, out } = await touchstone('qualify', suite, '--task', 'renew-dune,renew@dune', ...few);
  expect(out).toContain('library: 2 of 2 tasks qualify');
  expect(exit).toBe(0);
});

test('its near-misses are carried out, and fail', async () => {
  const loaded = await loadSuite(await writeLibrarySuite());
  if (!loaded.ok) throw new Error('the suite does not load');
  const suiteWorld = await loadSuiteWorld(loaded.suite);
  const nearMisses = loaded.suite.tasks.flatMap(({ task }) => (task.nearMisses ?? []).map((miss) => ({ task, miss })));
  expect(nearMisses).toHaveLength(3);
  for (const { task, miss } of nearMisses) {
    const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
    const result = await runEpisode({
      task,
      agent: referenceAgent(miss.why, miss.steps, 'breaks'),
      surface: aria,
      browser: await sharedBrowser(),
      world,
      sink: heardSink(),
    });
    await world.close();
    expect(result).toMatchObject({ status: 'failed', stop: 'done' });
  }
});
