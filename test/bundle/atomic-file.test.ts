import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeLeftovers, writeFileAtomically } from '../../src/bundle/atomic-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('writing a file atomically', () => {
  test('replaces the old content and leaves nothing else behind', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'report.json');
    await writeFileAtomically(path, 'old');
    await writeFileAtomically(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['report.json']);
  });

  test('leaves nothing behind when it fails', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'taken'));
    await expect(writeFileAtomically(join(folder, 'taken'), 'x')).rejects.toThrow(/EISDIR|EEXIST|ENOTEMPTY/);
    expect(await readdir(folder)).toEqual(['taken']);
  });

  test('can be cleaned up after a kill', async () => {
    const folder = await temporaryFolder();
    const half = `.report.json.${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.tmp`;
    await writeFile(join(folder, half), 'half');
    await writeFile(join(folder, '.notes.tmp'), 'not ours');
    await removeLeftovers(folder);
    expect(await readdir(folder)).toEqual(['.notes.tmp']);
  });
});
