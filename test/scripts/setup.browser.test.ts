import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function cloneWithPackages(): Promise<string> {
  const clone = await temporaryFolder();
  await mkdir(path.join(clone, 'node_modules'));
  for (const name of await readdir('node_modules')) {
    if (!name.startsWith('.touchstone'))
      await symlink(path.resolve('node_modules', name), path.join(clone, 'node_modules', name));
  }
  const lock = await readFile('package-lock.json');
  const stamp = createHash('sha256').update(lock).digest('hex');
  await writeFile(path.join(clone, 'node_modules/.touchstone-setup'), stamp);
  for (const name of ['src', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    await symlink(path.resolve(name), path.join(clone, name));
  }
  await mkdir(path.join(clone, 'scripts'));
  for (const name of ['setup.mjs', 'told.mjs', 'browser-file.ts']) {
    await copyFile(path.join('scripts', name), path.join(clone, 'scripts', name));
  }
  return clone;
}

/** A program that notes its start in a file `starts` next to it, and then is Chromium. */
async function countedBrowser(folder: string): Promise<string> {
  const browser = path.join(folder, 'chromium');
  const { path: real } = requireBrowser('full');
  await writeFile(browser, `#!/bin/sh\necho started >> "${path.join(folder, 'starts')}"\nexec "${real}" "$@"\n`);
  await chmod(browser, 0o755);
  return browser;
}

test('a browser that has started once is started again only if its file has changed, or another is named', async () => {
  const clone = await cloneWithPackages();
  const browser = await countedBrowser(clone);
  const setUp = async (named = browser): Promise<number> => {
    const env = { ...process.env, TOUCHSTONE_BROWSER: named };
    await promisify(execFile)(process.execPath, [path.join(clone, 'scripts/setup.mjs')], { cwd: clone, env });
    return (await readFile(path.join(clone, 'starts'), 'utf8')).trim().split('\n').length;
  };
  expect([await setUp(), await setUp()]).toEqual([1, 1]);
  await utimes(browser, 1, 1);
  expect(await setUp()).toBe(2);
  expect([await setUp(requireBrowser('full').path), await setUp()]).toEqual([2, 3]);
});
