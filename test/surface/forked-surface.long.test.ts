import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Surface } from '../../src/surface/surface.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from '../cli/touchstone.ts';

/** The surfaces of a fork alone. */
const fork = vi.hoisted((): { surfaces: Surface[] } => ({ surfaces: [] }));

vi.mock('../../src/surface/built-in.ts', async (load) => {
  const { BUILT_IN } = await load<{ BUILT_IN: readonly Surface[] }>();
  return {
    get BUILT_IN() {
      return [...BUILT_IN, ...fork.surfaces];
    },
  };
});

test('a bundle of a fork with a surface of its own verifies without that surface', async () => {
  const { aria } = await import('../../src/surface/aria/aria.ts');
  fork.surfaces = [{ ...aria, id: 'forked' }];
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const run = ['run', 'basics', '--task', 'dialog-delete', '--agent', 'reference', '--surface', 'forked'];
  const { exit, err } = await touchstone(...run, '--fault', 'server', '--out', bundle);
  expect({ exit, err }).toMatchObject({ exit: 0 });
  fork.surfaces = [];
  expect(await touchstone('list', '--json')).toMatchObject({ out: expect.not.stringContaining('forked') });
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0 });
  const rows = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));
  expect(rows).toContainEqual(expect.objectContaining({ faults: [], status: 'passed', shortcut_calls: 0 }));
  const withFaults = rows.filter(({ faults }) => faults.length > 0);
  expect(withFaults.map(({ status, null_reasons: { steps } }) => [status, steps])).toContainEqual([
    'not_applicable',
    'not applicable: the surface is built in: there is no tool server',
  ]);
});
