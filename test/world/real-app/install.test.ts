import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cacheFolder } from '../../../src/process/cache-folder.ts';
import { identityOfProcess } from '../../../src/process/is-running.ts';
import { isInstalled, readPin } from '../../../src/world/real-app/cache.ts';
import { installApp } from '../../../src/world/real-app/install.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** An application whose lockfile pins this; its cache is empty, and no registry is within reach. */
async function pinned(lockfile: object) {
  const folder = path.join(await temporaryFolder(), 'tiny');
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{"private":true,"dependencies":{"tiny":"1.2.3"}}');
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lockfile));
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1');
  vi.stubEnv('npm_config_fetch_retries', '0');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return readPin(folder, 'tiny');
}

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { tiny: '1.2.3' } },
    'node_modules/tiny': { version: '1.2.3', integrity: `sha512-${'A'.repeat(86)}==` },
  },
};

test('what cannot be installed is an error with what npm said, and leaves nothing', async () => {
  const app = await pinned(LOCK);
  await expect(installApp(app)).rejects.toMatchObject({
    code: 'cannot_install',
    message: expect.stringMatching(/^tiny 1\.2\.3 cannot be installed: npm ended with 1: [^]*ECONNREFUSED/),
  });
  expect(isInstalled(app)).toBe(false);
  expect(await readdir(cacheFolder('apps'))).toEqual([]);
});

test('what a killed installation left is removed by the next one, and that of a running one is not', async () => {
  const app = await pinned(LOCK);
  // No process has the number 2^30; ours is running.
  await mkdir(path.join(cacheFolder('apps'), `tiny-1.2.3.${2 ** 30}-1.tmp`), { recursive: true });
  await mkdir(path.join(cacheFolder('apps'), `tiny-1.2.3.${identityOfProcess(process.ppid)}.tmp`));
  await expect(installApp(app)).rejects.toThrow('cannot be installed');
  expect(await readdir(cacheFolder('apps'))).toEqual([`tiny-1.2.3.${identityOfProcess(process.ppid)}.tmp`]);
});

test('a lockfile that does not pin the application is an error', async () => {
  await expect(pinned({ packages: {} })).rejects.toThrow('does not pin tiny');
});
