import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  identityOfProcess,
  clearFolder,
  makeFolder,
  removeFolder,
  sweepFolders,
} from '../../src/process/own-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { asOrdinaryUser } from './ordinary-user.ts';

const REMOVALS = [
  ['at once', (folder: string) => Promise.resolve(removeFolder(folder))],
  ['in the background', clearFolder],
] as const;

test.each(REMOVALS)('a folder is removed %s though folders in it are read-only', async (_, remove) => {
  await asOrdinaryUser(async (place) => {
    const folder = path.join(place, 'home');
    for (const name of ['deep/down', 'deep/other']) {
      mkdirSync(path.join(folder, name), { recursive: true });
      writeFileSync(path.join(folder, name, 'file'), '');
      chmodSync(path.join(folder, name), 0o500);
    }
    chmodSync(path.join(folder, 'deep'), 0o500);
    await remove(folder);
    expect(readdirSync(place)).toEqual([]);
  });
});

test.each(REMOVALS)('a folder is removed %s though it is deeper than a path can be', async (_, remove) => {
  const place = await temporaryFolder();
  const folder = path.join(place, 'home');
  mkdirSync(folder);
  const dig =
    'for (let depth = 0; depth < 60; depth += 1) { fs.mkdirSync("d".repeat(200)); process.chdir("d".repeat(200)); }';
  expect(spawnSync(process.execPath, ['-e', dig], { cwd: folder }).status).toBe(0);
  await remove(folder);
  expect(readdirSync(place)).toEqual([]);
});

test('while a folder is removed in the background, other work has its turn', async () => {
  const folder = path.join(await temporaryFolder(), 'home');
  mkdirSync(folder);
  for (let file = 0; file < 200; file += 1) writeFileSync(path.join(folder, String(file)), '');
  let turns = 0;
  const isRemoved = clearFolder(folder).then(() => true);
  const later = () => new Promise<false>((resolve) => setImmediate(resolve, false));
  while (!(await Promise.race([isRemoved, later()]))) turns += 1;
  expect(turns).toBeGreaterThan(1);
  expect(existsSync(folder)).toBe(false);
});

test('a folder that cannot be removed is no error', () => {
  removeFolder('/proc/self/fdinfo');
  expect(existsSync('/proc')).toBe(true);
});

test('the target of a link in a folder is left unchanged', async () => {
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

test('folders of a killed run are swept by the next, and those of a live one are not', async () => {
  const place = await temporaryFolder();
  vi.stubEnv('TMPDIR', place);
  // No process has the number 2^30; our parent runs, began when it did and not at the tick 1; a number may be that of a thread.
  const [nobody, parent, reused] = [`${2 ** 30}-1`, identityOfProcess(process.ppid), `${process.ppid}-1`];
  const killed = ['profile', 'home', 'gateway', 'app'].map((use) => `touchstone-${use}-${nobody}-aB3dE6`);
  killed.push(`touchstone-profile-${reused}-aB3dE6`, `touchstone-profile-${await aThread()}-1-aB3dE6`);
  const others = [`touchstone-home-${parent}-aB3dE6`, `touchstone-mine-${nobody}-aB3dE6`, 'touchstone-home-x'];
  for (const name of [...killed, ...others]) mkdirSync(path.join(place, name, 'in it'), { recursive: true });
  const own = makeFolder('home');
  sweepFolders();
  expect(readdirSync(place)).toEqual([path.basename(own), ...others].toSorted());
  removeFolder(own);
  vi.unstubAllEnvs();
  expect(existsSync(own)).toBe(false);
  expect(mkdtempSync(path.join(tmpdir(), 'x-'))).not.toContain(place);
});

/** The number of a thread of ours that is not our own number: Linux gives both from one row. */
async function aThread(): Promise<string> {
  const threads = await readdir('/proc/self/task');
  return threads.find((thread) => thread !== String(process.pid)) ?? '';
}
