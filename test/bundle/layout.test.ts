import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleLayout, safeSha256, strangeEntries } from '../../src/bundle/layout.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const layout = bundleLayout('/bundle');

describe('the layout', () => {
  test('puts each attempt of each episode into a folder of its own', () => {
    const id = 'ab'.repeat(16);
    expect(layout.attempt(id, 2).row).toBe(join('/bundle', 'episodes', id, '2', 'row.json'));
  });

  test.each(['', '..', '../x', '/etc/passwd', 'AB'.repeat(16), 'ab'.repeat(33), `${'a'.repeat(32)}${sep}..`, 'ab\n'])(
    'refuses %j as an episode id',
    (id) => {
      expect(() => layout.attempt(id, 1)).toThrow(expect.objectContaining({ code: 'bad_episode_id' }));
    },
  );

  test.each([0, -1, 1.5, Number.NaN, 1000])('refuses %d as an attempt', (attempt) => {
    expect(() => layout.attempt('ab'.repeat(16), attempt)).toThrow(expect.objectContaining({ code: 'bad_attempt' }));
  });

  test.each(['', '..', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(64)}\n`, `../${'a'.repeat(61)}`])(
    'refuses %j as a hash',
    (hash) => {
      expect(() => safeSha256(hash)).toThrow(expect.objectContaining({ code: 'bad_sha256' }));
    },
  );
});

describe('strange entries', () => {
  test('are not found in a bundle of plain files and folders', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'episodes', 'a'), { recursive: true });
    await writeFile(join(folder, 'episodes', 'a', 'row.json'), '{}');
    expect(await strangeEntries(folder)).toEqual([]);
  });

  test('are the links, at any depth', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'episodes'));
    await symlink('/etc', join(folder, 'episodes', 'way-out'));
    expect(await strangeEntries(folder)).toEqual([join('episodes', 'way-out')]);
  });
});
