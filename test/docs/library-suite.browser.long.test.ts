import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeLibrarySuite } from './library-suite.ts';
import { performed } from '../suites/performed.ts';
import { suiteIn } from '../suite-files.ts';

test('a recorded run of reference there, instances too, is repeated under a baseline', async () => {
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

test('its tasks qualify, though with few trials', async () => {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
  const suite = await writeLibrarySuite();
  const few = ['--repetitions', '1', '--perturbations', '2', '--out', path.join(suite, '../trials')];
  const { exit, out } = await touchstone('qualify', suite, '--task', 'renew-dune,renew@dune', ...few);
  expect(out).toContain('library: 2 of 2 tasks qualify');
  expect(exit).toBe(0);
});

test('its near-misses are carried out, and fail', async () => {
  const suite = await suiteIn(await writeLibrarySuite());
  const suiteWorld = await loadSuiteWorld(suite);
  const nearMisses = suite.tasks.flatMap(({ task }) => (task.nearMisses ?? []).map((miss) => ({ task, miss })));
  expect(nearMisses).toHaveLength(3);
  for (const { task, miss } of nearMisses) {
    const result = await performed(suiteWorld, task, referenceAgent(miss.why, miss.steps, 'breaks'));
    expect(result).toMatchObject({ status: 'failed', stop: 'done' });
  }
});
