import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { readPin, STAMP } from '../../src/world/real-app/cache.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstoneWith } from './touchstone-process.ts';

async function emptyCache(): Promise<void> {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
}

test('apps list has the package, version, licence and folder of each', async () => {
  await emptyCache();
  const { exit, out } = await touchstone('apps', 'list', '--json');
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    apps: [
      { name: 'node-red', package: 'node-red', licence: 'Apache-2.0', installed: null },
      { name: 'tiddlywiki', package: 'tiddlywiki', version: expect.stringMatching(/^5\./), installed: null },
      { name: 'vendure', package: '@vendure/core', licence: 'GPL-3.0-or-later', installed: null },
    ],
  });
});

test.each([
  [['apps', 'instal'], 'unknown action "instal"', 'apps install'],
  [['apps', 'install', 'wiki'], 'unknown application "wiki"', 'tiddlywiki'],
])('%j is an error that lists the choices', async (args, message, remedy) => {
  const { exit, err } = await touchstone(...args);
  expect(exit).toBe(2);
  expect(err).toContain(message);
  expect(err).toContain(remedy);
});

test('a run whose application is not installed ends before it begins, with the command that installs it', async () => {
  await emptyCache();
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const { exit, err } = await touchstone(
    'run',
    'basics',
    'realapps',
    '--task',
    'dialog-delete,tw-find-seats',
    '--out',
    bundle,
  );
  expect(exit).toBe(2);
  expect(err).toContain('tiddlywiki 5.4.1 is not installed');
  expect(err).toContain('touchstone apps install tiddlywiki');
  expect(existsSync(bundle)).toBe(false);
});

test('an agent of the user does not meet a real application without a sandbox', async () => {
  const [cache, folder, empty] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
  const { lockHash, version } = readPin(path.resolve('apps/node-red'), 'node-red');
  const installed = path.join(cache, 'apps', `node-red-${version}`);
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, STAMP), lockHash);
  const bundle = path.join(folder, 'bundle');
  // Where nothing is on the PATH, there is no Bubblewrap.
  const run = startTouchstoneWith(
    { TOUCHSTONE_CACHE: cache, PATH: empty },
    'run',
    'realapps',
    '--task',
    'nr-rename-flow',
    '--agent',
    'examples/exec/agent.mjs',
    '--out',
    bundle,
  );
  expect(await run.ended).toBe(2);
  expect(run.said()).toContain('exec could make http://node-red.localhost run commands as you');
  expect(run.said()).toContain('install Bubblewrap');
  expect(existsSync(bundle)).toBe(false);
});
