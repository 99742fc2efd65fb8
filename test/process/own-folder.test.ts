import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder, removeFolder, sweepFolders } from '../../src/process/own-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { asOrdinaryUser } from './ordinary-user.ts';

test('a folder is removed though folders in it are read-only', async () => {
  await asOrdinaryUser(async (place) => {
    const folder = path.join(place, 'home');
    for (const name of ['deep/down', 'deep/other']) {
      mkdirSync(path.join(folder, name), { recursive: true });
      writeFileSync(path.join(folder, name, 'file'), '');
      chmodSync(path.join(folder, name), 0o500);
    }
    chmodSync(path.join(folder, 'deep'), 0o500);
    removeFolder(folder);
    expect(readdirSync(place)).toEqual([]);
    await Promise.resolve();
  });
});

test('a folder that cannot be removed is no error', () => {
  removeFolder('/proc/self/fdinfo');
  expect(existsSync('/proc')).toBe(true);
});

test('what a link in a folder leads to is left as it is', async () => {
  await asOrdinaryUser(async (place) => {
    const [folder, kept] = [path.join(place, 'home'), path.join(place, 'kept')];
    mkdirSync(path.join(folder, 'locked'), { recursive: true });
    mkdirSync(kept, { mode: 0o500 });
    symlinkSync(kept, path.join(folder, 'locked', 'link'));
    chmodSync(path.join(folder, 'locked'), 0o500);
    removeFolder(folder);
    expect(readdirSync(place)).toEqual(['kept']);
    expect(() => mkdirSync(path.join(kept, 'new'))).toThrow('EACCES');
    await Promise.resolve();
  });
});

test('folders of a run that was killed are swept by the next, and those of one that runs are not', async () => {
  const place = await temporaryFolder();
  vi.stubEnv('TMPDIR', place);
  // No process has the number 2^30; ours and our parent's run.
  const killed = ['profile', 'home', 'gateway', 'app'].map((use) => `touchstone-${use}-${2 ** 30}-aB3dE6`);
  const others = [`touchstone-home-${process.ppid}-aB3dE6`, `touchstone-mine-${2 ** 30}-aB3dE6`, 'touchstone-home-x'];
  for (const name of [...killed, ...others]) mkdirSync(path.join(place, name, 'in it'), { recursive: true });
  const own = makeFolder('home');
  sweepFolders();
  expect(readdirSync(place)).toEqual([path.basename(own), ...others].toSorted());
  removeFolder(own);
  vi.unstubAllEnvs();
  expect(existsSync(own)).toBe(false);
  expect(mkdtempSync(path.join(tmpdir(), 'x-'))).not.toContain(place);
});
