import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cacheFolder, identityOfProcess } from '../../../src/process/own-folder.ts';
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
  return readPin(folder, 'tiny');
}

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { tiny: '1.2.3' } },
    'node_modules/tiny': { version: '1.2.3', integrity: `sha512-${'A'.repeat(86)}==` },
  },
};

test('a failed installation is an error with the output of npm, and leaves nothing', async () => {
  const app = await pinned(LOCK);
  await expect(installApp(app)).rejects.toMatchObject({
    code: 'app_cannot_be_installed',
    params: { package: 'tiny', version: '1.2.3', why: expect.stringMatching(/^npm ended with 1: [^]*ECONNREFUSED/) },
  });
  expect(isInstalled(app)).toBe(false);
  expect(await readdir(cacheFolder('apps'))).toEqual([]);
});

test('a registry that falls silent in the middle of a package is asked once more', async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'package.json'), '{"name":"tiny","version":"1.2.3"}');
  await promisify(execFile)('npm', ['pack'], { cwd: folder });
  const packed = await readFile(path.join(folder, 'tiny-1.2.3.tgz'));
  let asked = 0;
  const registry = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-length': packed.length });
    if (asked === 1) response.write(packed.subarray(0, 20));
    else response.end(packed);
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  onTestFinished(() => {
    registry.close();
    registry.closeAllConnections();
  });
  const address = registry.address();
  const resolved = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/tiny-1.2.3.tgz`;
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  const tiny = { version: '1.2.3', resolved, integrity };
  const app = await pinned({ ...LOCK, packages: { ...LOCK.packages, 'node_modules/tiny': tiny } });
  // Another cache: npm's own holds the package made here.
  vi.stubEnv('npm_config_cache', await temporaryFolder());
  vi.stubEnv('npm_config_replace_registry_host', 'never');
  vi.stubEnv('npm_config_fetch_timeout', '1000');
  await installApp(app);
  expect([asked, isInstalled(app)]).toEqual([2, true]);
});

test('leftovers of a killed installation are removed by the next one, and those of a running one are not', async () => {
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
