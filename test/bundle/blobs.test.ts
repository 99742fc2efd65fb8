import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SNAPSHOT = JSON.stringify({
  nodes: Array.from({ length: 100 }, (_, id) => ({ id, name: 'DIV', text: 'hello' })),
});
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1000)]);

async function onlyFile(folder: string): Promise<string> {
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  return join(folder, name ?? 'nothing');
}

describe('a blob', () => {
  test('is read back byte for byte under the hash of its bytes', async () => {
    const folder = await temporaryFolder();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        const blobs = openBlobs(folder);
        const sha256 = await blobs.put(bytes);
        expect(sha256).toBe(sha256Hex(bytes));
        expect(await blobs.get(sha256)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 50 },
    );
  });

  test('of JSON is stored compressed', async () => {
    const folder = await temporaryFolder();
    await openBlobs(folder).put(SNAPSHOT);
    const path = await onlyFile(folder);
    expect(path).toMatch(/[0-9a-f]{64}\.br$/);
    expect((await stat(path)).size).toBeLessThan(SNAPSHOT.length / 5);
  });

  test('of a PNG is stored as it is', async () => {
    const folder = await temporaryFolder();
    await openBlobs(folder).put(PNG);
    expect(await readFile(await onlyFile(folder))).toEqual(PNG);
  });

  test('is written once', async () => {
    const folder = await temporaryFolder();
    const blobs = openBlobs(folder);
    await blobs.put(SNAPSHOT);
    const before = await stat(await onlyFile(folder));
    await blobs.put(SNAPSHOT);
    expect((await stat(await onlyFile(folder))).ino).toBe(before.ino);
  });

  test('is one file even if it is stored many times at once', async () => {
    const folder = await temporaryFolder();
    const blobs = openBlobs(folder);
    const hashes = await Promise.all(Array.from({ length: 10 }, async () => blobs.put(SNAPSHOT)));
    expect(new Set(hashes).size).toBe(1);
    await onlyFile(folder);
  });

  test('is found by its hash', async () => {
    const folder = await temporaryFolder();
    const blobs = openBlobs(join(folder, 'blobs'));
    expect(await blobs.has(sha256Hex(PNG))).toBe(false);
    await blobs.put(SNAPSHOT);
    await blobs.put(PNG);
    expect(await blobs.has(sha256Hex(SNAPSHOT))).toBe(true);
    expect(await blobs.has(sha256Hex(PNG))).toBe(true);
    expect(await blobs.has(sha256Hex('other'))).toBe(false);
  });
});

describe('a damaged store', () => {
  test('never returns bytes other than those stored, whichever byte is flipped', async () => {
    const folder = await temporaryFolder();
    const blobs = openBlobs(folder);
    const sha256 = await blobs.put(SNAPSHOT);
    const path = await onlyFile(folder);
    const whole = await readFile(path);
    const outcomes = [];
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      await writeFile(path, flipped);
      outcomes.push(await blobs.get(sha256).then(String, (error: unknown) => error));
    }
    const wrong = outcomes.filter((outcome) => outcome !== SNAPSHOT && !(outcome instanceof Error));
    expect(wrong).toEqual([]);
    expect(outcomes).toContainEqual(
      expect.objectContaining({ code: 'blob_corrupt', message: expect.stringContaining(sha256) }),
    );
  });

  test('names the blob whose stored bytes do not match its name', async () => {
    const folder = await temporaryFolder();
    const sha256 = await openBlobs(folder).put(PNG);
    await writeFile(join(folder, sha256), 'something else');
    await expect(openBlobs(folder).get(sha256)).rejects.toMatchObject({
      code: 'blob_corrupt',
      message: expect.stringContaining(sha256),
    });
  });

  test('names the missing blob', async () => {
    const folder = await temporaryFolder();
    const sha256 = sha256Hex('never put');
    await expect(openBlobs(folder).get(sha256)).rejects.toMatchObject({
      code: 'blob_missing',
      message: expect.stringContaining(sha256),
    });
  });
});

describe('a store from a stranger', () => {
  test('cannot exhaust memory: a small file that unpacks beyond the limit is refused', async () => {
    const folder = await temporaryFolder();
    const bomb = Buffer.alloc(4 * 1024 * 1024);
    await writeFile(join(folder, `${sha256Hex(bomb)}.br`), brotliCompressSync(bomb));
    const limited = openBlobs(folder, { maxBytes: 1024 * 1024 });
    await expect(limited.get(sha256Hex(bomb))).rejects.toMatchObject({ code: 'blob_unpacks_too_large' });
    expect(await openBlobs(folder).get(sha256Hex(bomb))).toHaveLength(bomb.length);
  });

  test('cannot exhaust memory: a stored file beyond the limit is refused', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, sha256Hex(PNG)), PNG);
    const limited = openBlobs(folder, { maxBytes: 100 });
    await expect(limited.get(sha256Hex(PNG))).rejects.toMatchObject({ code: 'file_too_large' });
  });

  test('cannot be asked for a file outside its folder', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'blobs'));
    await writeFile(join(folder, 'outside'), 'private');
    const blobs = openBlobs(join(folder, 'blobs'));
    await expect(blobs.get('../outside')).rejects.toMatchObject({ code: 'bad_sha256' });
    await expect(blobs.has('../outside')).rejects.toMatchObject({ code: 'bad_sha256' });
  });

  test('cannot lead outside by a link, even to bytes with the right hash', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'blobs'));
    await writeFile(join(folder, 'outside'), 'private');
    await symlink(join(folder, 'outside'), join(folder, 'blobs', sha256Hex('private')));
    await expect(openBlobs(join(folder, 'blobs')).get(sha256Hex('private'))).rejects.toMatchObject({
      code: 'not_a_file',
    });
  });
});
