import { copyFile, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attemptLayout } from '../../src/bundle/layout.ts';
import { checkAttemptSeal, readAttemptSeal } from '../../src/bundle/seal.ts';
import { readCountedRows, readSealedRows, sealRow } from '../../src/bundle/sealed-rows.ts';
import { canonicalJson } from '../../src/contract/canonical.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { bundleOfRows, rowOf } from './bundle-of-rows.ts';

const RETRIED = [rowOf(1, 1, false), rowOf(0), { killed: rowOf(1, 2) }, rowOf(1, 3)];

describe('sealing a row', () => {
  test('leaves row.json under a seal that holds, and gives the hash of that seal', async () => {
    const attempt = attemptLayout(join(await temporaryFolder(), 'not', 'yet', 'there'));
    const row = rowOf(0);
    const hash = await sealRow(attempt, row);
    expect(await readFile(attempt.row, 'utf8')).toBe(`${canonicalJson(row)}\n`);
    expect(await checkAttemptSeal(attempt.folder)).toEqual([]);
    const sealed = await readAttemptSeal(attempt.folder);
    expect(sealed.hash).toBe(hash);
    expect(sealed.seal.blobs).toEqual(Object.values(row.artifacts));
  });

  test('seals the other files of the attempt', async () => {
    const attempt = attemptLayout(await temporaryFolder());
    await writeFile(attempt.events, '{"seq":1}\n');
    await sealRow(attempt, rowOf(0));
    const { seal } = await readAttemptSeal(attempt.folder);
    expect(seal.files.map(({ name }) => name)).toEqual(['events.jsonl', 'row.json']);
  });
});

describe('the rows of a bundle', () => {
  test('are those of all sealed attempts in the order of the ledger, each with its seal', async () => {
    const layout = await bundleOfRows(await temporaryFolder(), RETRIED);
    const sealed = await readSealedRows(layout);
    expect(sealed.map(({ row }) => row)).toEqual([rowOf(1, 1, false), rowOf(0), rowOf(1, 3)]);
    for (const { row, sealHash } of sealed) {
      const { folder } = layout.attempt(row.episode_id, row.attempt);
      expect((await readAttemptSeal(folder)).hash).toBe(sealHash);
    }
  });

  test('that count are in plan order', async () => {
    const layout = await bundleOfRows(await temporaryFolder(), RETRIED);
    expect(await readCountedRows(layout)).toEqual([rowOf(0), rowOf(1, 3)]);
  });

  test('are empty before anything is sealed', async () => {
    const layout = await bundleOfRows(await temporaryFolder(), [{ killed: rowOf(0) }]);
    expect(await readSealedRows(layout)).toEqual([]);
  });

  test('are refused when one is missing, a link, or no row', async () => {
    const layout = await bundleOfRows(await temporaryFolder(), [rowOf(0)]);
    const { row: path } = layout.attempt(rowOf(0).episode_id, 1);
    const elsewhere = join(layout.root, 'elsewhere.json');
    await rename(path, elsewhere);
    await expect(readSealedRows(layout)).rejects.toMatchObject({ code: 'file_missing', params: { file: path } });
    await symlink(elsewhere, path);
    await expect(readSealedRows(layout)).rejects.toMatchObject({ code: 'not_a_file' });
    await rm(path);
    await writeFile(path, JSON.stringify({ ...rowOf(0), status: 'passed' }));
    await expect(readSealedRows(layout)).rejects.toMatchObject({
      code: 'other_shape',
      params: { file: path, problem: expect.stringContaining('status contradicts') },
    });
  });

  test('are refused when one does not match its own hashes', async () => {
    const layout = await bundleOfRows(await temporaryFolder(), [rowOf(0)]);
    const { row: path } = layout.attempt(rowOf(0).episode_id, 1);
    for (const edit of [{ steps: 1 }, { wall_ms: 5 }, { outcome_hash: '0'.repeat(64) }]) {
      await writeFile(path, JSON.stringify({ ...rowOf(0), ...edit }));
      await expect(readSealedRows(layout)).rejects.toMatchObject({ code: 'row_hashes_differ' });
    }
    await writeFile(path, JSON.stringify({ ...rowOf(0), category: '\ud800' }));
    await expect(readSealedRows(layout)).rejects.toMatchObject({
      code: 'half_character',
      params: { file: path, place: 'category' },
    });
    await writeFile(path, JSON.stringify({ ...rowOf(0) }));
    expect(await readSealedRows(layout)).toHaveLength(1);
  });

  test('are refused if one is in the place of another', async () => {
    const layout = await bundleOfRows(await temporaryFolder(), [rowOf(0), rowOf(1), rowOf(1, 2)]);
    const [first, second, third] = [rowOf(0), rowOf(1), rowOf(1, 2)].map(
      ({ episode_id: id, attempt }) => layout.attempt(id, attempt).row,
    );
    await copyFile(third ?? '', second ?? '');
    await expect(readSealedRows(layout)).rejects.toMatchObject({ message: expect.stringContaining('of attempt 2') });
    await copyFile(first ?? '', second ?? '');
    await expect(readSealedRows(layout)).rejects.toMatchObject({ message: expect.stringContaining('of episode 0000') });
  });
});
