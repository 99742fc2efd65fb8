import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeNewFolder, whyNotWritten } from '../../src/run/new-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('the folder of a new bundle', () => {
  test('is made with the folders above it', async () => {
    const folder = path.join(await temporaryFolder(), 'a/b/c');
    await makeNewFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  test('may exist already if it is empty', async () => {
    await expect(makeNewFolder(await temporaryFolder())).resolves.toBeUndefined();
  });

  test('may not be one that holds a bundle', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'campaign.json'), '');
    await expect(makeNewFolder(folder)).rejects.toMatchObject({
      code: 'folder_has_bundle',
      params: { folder, finished: false },
    });
    await writeFile(path.join(folder, 'seal.json'), '');
    await expect(makeNewFolder(folder)).rejects.toMatchObject({ params: { finished: true } });
  });

  test('may not be one that holds anything else, which stays unchanged', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'letter.txt'), 'mine');
    await expect(makeNewFolder(folder)).rejects.toMatchObject({
      code: 'folder_not_empty',
    });
    expect(await readdir(folder)).toEqual(['letter.txt']);
  });
});

describe('a place where no folder can be made is an error with a remedy', () => {
  const cannot = (folder: string, why: string) => ({ code: 'folder_not_writable', params: { folder, why } });

  test('a file', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(makeNewFolder(file)).rejects.toMatchObject(cannot(file, 'a part of the path is a file'));
  });

  test('a folder in a file', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const place = path.join(file, 'a/b');
    await expect(makeNewFolder(place)).rejects.toMatchObject(cannot(place, 'a part of the path is a file'));
  });

  test('a link that leads nowhere', async () => {
    const folder = await temporaryFolder();
    const link = path.join(folder, 'link');
    await symlink(path.join(folder, 'nowhere'), link);
    await expect(makeNewFolder(link)).rejects.toMatchObject(cannot(link, 'a file or a broken link is in its place'));
  });

  test('links that lead in a circle', async () => {
    const link = path.join(await temporaryFolder(), 'link');
    await symlink(link, link);
    await expect(makeNewFolder(link)).rejects.toMatchObject(cannot(link, 'its links lead in a circle'));
  });

  test.runIf(process.platform === 'linux')('/proc, where a recursive mkdir never returns', async () => {
    for (const place of ['/proc/touchstone', '/proc/touchstone/a/b']) {
      await expect(makeNewFolder(place)).rejects.toMatchObject({
        message: expect.stringContaining(`${place} cannot be written (`),
        remedy: 'choose another --out',
      });
    }
  });

  test('a folder of another user', async () => {
    const folder = path.join(await temporaryFolder(), 'theirs');
    await mkdir(folder, { mode: 0o500 });
    const place = path.join(folder, 'a');
    // Root may write everywhere, so it becomes the user nobody for a while.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(makeNewFolder(place)).rejects.toMatchObject(cannot(place, 'permission denied'));
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});

test('a refusal of the file system is put into words, and a fault of ours is not taken for one', () => {
  expect(whyNotWritten(Object.assign(new Error(''), { code: 'EACCES' }))).toBe('permission denied');
  expect(whyNotWritten(Object.assign(new Error(''), { code: 'EROFS' }))).toBe('read-only file system');
  expect(whyNotWritten(new TypeError('x is not a function'))).toBeNull();
});
