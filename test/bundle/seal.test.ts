import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkAttemptSeal, readAttemptSeal, sealAttempt } from '../../src/bundle/seal.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { fact } from '../../src/messages/messages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const BLOBS = [sha256Hex('b'), sha256Hex('a'), sha256Hex('b')];
const FILES = { 'row.json': '{"status":"passed"}', 'events.jsonl': '{"seq":1}\n', 'transcript.jsonl': '' };

async function sealedAttempt(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  return sealAttempt(folder, BLOBS);
}

describe('the seal of an attempt', () => {
  test('lists every file with its hash and size, and every blob once', async () => {
    const folder = await temporaryFolder();
    await sealedAttempt(folder);
    const { seal } = await readAttemptSeal(folder);
    expect(seal.files).toEqual(
      ['events.jsonl', 'row.json', 'transcript.jsonl'].map((name) => {
        const text = Object.entries(FILES).find(([file]) => file === name)?.[1] ?? '';
        return { name, sha256: sha256Hex(text), size: text.length };
      }),
    );
    expect(seal.blobs).toEqual([sha256Hex('a'), sha256Hex('b')].toSorted());
  });

  test('verifies an unchanged attempt', async () => {
    const folder = await temporaryFolder();
    const hash = await sealedAttempt(folder);
    expect(await checkAttemptSeal(folder)).toEqual([]);
    expect((await readAttemptSeal(folder)).hash).toBe(hash);
  });

  test('does not depend on when, or how often, it is made', async () => {
    const folder = await temporaryFolder();
    const hash = await sealedAttempt(folder);
    expect(await sealAttempt(folder, BLOBS.toReversed())).toBe(hash);
  });

  test('is refused to a folder without a row', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'events.jsonl'), '');
    await expect(sealAttempt(folder, [])).rejects.toMatchObject({ code: 'no_row' });
  });

  test('is refused to a folder with a link in it', async () => {
    const folder = await temporaryFolder();
    await symlink('/etc/passwd', join(folder, 'row.json'));
    await expect(sealAttempt(folder, [])).rejects.toMatchObject({ code: 'not_a_file' });
  });

  test('is refused when a blob has no hash for a name', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'row.json'), '{}');
    await expect(sealAttempt(folder, ['../outside'])).rejects.toMatchObject({ code: 'bad_sha256' });
  });
});

describe('a broken seal', () => {
  for (const file of ['row.json', 'events.jsonl']) {
    test(`shows any flipped byte of ${file}`, async () => {
      const folder = await temporaryFolder();
      await sealedAttempt(folder);
      const path = join(folder, file);
      const whole = await readFile(path);
      for (let at = 0; at < whole.length; at += 1) {
        const flipped = Buffer.from(whole);
        flipped[at] = (flipped[at] ?? 0) ^ 1;
        await writeFile(path, flipped);
        expect(await checkAttemptSeal(folder)).toEqual([{ file, problem: fact('not_as_sealed') }]);
      }
    });
  }

  test('shows a byte added to a file that was empty', async () => {
    const folder = await temporaryFolder();
    await sealedAttempt(folder);
    await writeFile(join(folder, 'transcript.jsonl'), '\n');
    expect(await checkAttemptSeal(folder)).toHaveLength(1);
  });

  test('shows a missing file, and one that was added', async () => {
    const folder = await temporaryFolder();
    await sealedAttempt(folder);
    await rm(join(folder, 'events.jsonl'));
    await writeFile(join(folder, 'extra.json'), '{}');
    expect(await checkAttemptSeal(folder)).toEqual([
      { file: 'events.jsonl', problem: fact('is_missing') },
      { file: 'extra.json', problem: fact('not_in_seal') },
    ]);
  });

  test('shows a file replaced by a link or a folder', async () => {
    const folder = await temporaryFolder();
    await sealedAttempt(folder);
    await rm(join(folder, 'row.json'));
    await symlink('/etc/passwd', join(folder, 'row.json'));
    await rm(join(folder, 'events.jsonl'));
    await mkdir(join(folder, 'events.jsonl'));
    const problems = await checkAttemptSeal(folder);
    expect(problems.map(({ file }) => file)).toEqual(['events.jsonl', 'row.json']);
  });

  test('shows that the seal is missing, malformed, or names a file elsewhere', async () => {
    const folder = await temporaryFolder();
    await sealedAttempt(folder);
    const text = await readFile(join(folder, 'seal.json'), 'utf8');
    for (const forged of ['{}', 'not json', text.replace('row.json', '../../../x')]) {
      await writeFile(join(folder, 'seal.json'), forged);
      expect(await checkAttemptSeal(folder)).toMatchObject([{ file: 'seal.json' }]);
    }
    await rm(join(folder, 'seal.json'));
    expect(await checkAttemptSeal(folder)).toEqual([{ file: 'seal.json', problem: fact('is_missing') }]);
  });

  test('names a file twice, or more files than an attempt has, and none of them is read', async () => {
    const folder = await temporaryFolder();
    await sealedAttempt(folder);
    const { seal } = await readAttemptSeal(folder);
    const [file, ...others] = seal.files;
    const many = Array.from({ length: 17 }, (_, index) => ({ ...file, name: `${index}.bin` }));
    for (const [files, why] of [
      [[file, file, ...others], 'twice'],
      [many, '16'],
    ] as const) {
      await writeFile(join(folder, 'seal.json'), JSON.stringify({ ...seal, files }));
      const problems = await checkAttemptSeal(folder);
      expect(problems).toMatchObject([
        { file: 'seal.json', problem: { params: { problem: expect.stringContaining(why) } } },
      ]);
    }
    await writeFile(join(folder, 'seal.json'), JSON.stringify(seal));
    expect(await checkAttemptSeal(folder)).toEqual([]);
  });

  test('recomputed for an edited row has another hash than the ledger keeps', async () => {
    const folder = await temporaryFolder();
    const hash = await sealedAttempt(folder);
    await writeFile(join(folder, 'row.json'), '{"status":"failed"}');
    await sealAttempt(folder, BLOBS);
    expect(await checkAttemptSeal(folder)).toEqual([]);
    expect((await readAttemptSeal(folder)).hash).not.toBe(hash);
  });
});
