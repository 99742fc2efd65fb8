import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/bundle/ledger-record.ts';
import { openLedger, readLedger } from '../../src/bundle/ledger.ts';
import { hashJson } from '../../src/contract/canonical.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const EPISODE = 'ab'.repeat(32);
const ENTRIES: readonly LedgerEntry[] = [
  { kind: 'planned', plan_hash: '1'.repeat(64), episodes: 1 },
  { kind: 'started', episode_id: EPISODE, attempt: 1, run_id: 'run-1' },
  { kind: 'voided', episode_id: EPISODE, attempt: 1, why: 'the browser was killed' },
  { kind: 'started', episode_id: EPISODE, attempt: 2, run_id: 'run-2' },
  { kind: 'sealed', episode_id: EPISODE, attempt: 2, seal_hash: '2'.repeat(64) },
];
const noon = () => new Date('2026-01-01T12:00:00Z');

async function write(path: string, entries: readonly LedgerEntry[]): Promise<void> {
  const ledger = await openLedger(path, noon);
  for (const entry of entries) await ledger.append(entry);
  await ledger.close();
}

async function rewriteLines(path: string, change: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  await writeFile(path, `${change(lines).join('\n')}\n`);
}

describe('a ledger', () => {
  test('numbers, dates and chains its records', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    await write(path, ENTRIES);
    const { records, torn, head } = await readLedger(path);
    expect(records).toMatchObject(
      ENTRIES.map((entry, index) => ({ ...entry, seq: index + 1, at: noon().toISOString() })),
    );
    const hashes = records.map((record) => hashJson(record));
    expect(records.map((record) => record.prev)).toEqual(['0'.repeat(64), ...hashes.slice(0, -1)]);
    expect(head).toBe(hashes.at(-1));
    expect(torn).toBe(false);
  });

  test('is empty if it does not exist', async () => {
    const folder = await temporaryFolder();
    const { records, head } = await readLedger(join(folder, 'ledger.jsonl'));
    expect(records).toEqual([]);
    expect(head).toBe('0'.repeat(64));
  });

  test('continues its chain when it is opened again', async () => {
    const folder = await temporaryFolder();
    const [path, atOnce] = [join(folder, 'ledger.jsonl'), join(folder, 'at-once.jsonl')];
    await write(path, ENTRIES.slice(0, 2));
    await write(path, ENTRIES.slice(2));
    await write(atOnce, ENTRIES);
    expect(await readFile(path, 'utf8')).toBe(await readFile(atOnce, 'utf8'));
  });

  test('keeps the order of appends that are not awaited one by one', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    const ledger = await openLedger(path, noon);
    await Promise.all(ENTRIES.map(async (entry) => ledger.append(entry)));
    await ledger.close();
    expect((await readLedger(path)).records).toMatchObject(ENTRIES);
  });

  test('refuses an invalid entry, and continues', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    const ledger = await openLedger(path, noon);
    await expect(ledger.append({ kind: 'planned', plan_hash: 'no hash', episodes: 1 })).rejects.toThrow(/plan_hash/);
    await ledger.append({ kind: 'planned', plan_hash: '1'.repeat(64), episodes: 1 });
    await ledger.close();
    expect((await readLedger(path)).records).toHaveLength(1);
  });

  test('notices a second writer instead of breaking the chain', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    const [first, second] = [await openLedger(path, noon), await openLedger(path, noon)];
    for (const entry of ENTRIES.slice(0, 1)) {
      await first.append(entry);
      await expect(second.append(entry)).rejects.toMatchObject({ code: 'ledger_shared' });
    }
    await first.close();
    await second.close();
    expect((await readLedger(path)).records).toHaveLength(1);
  });
});

describe('a ledger whose writer was killed', () => {
  test('is read up to its torn last line, wherever a kill cut it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    await write(path, ENTRIES);
    const whole = await readFile(path);
    const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
    for (let length = lastLine + 1; length < whole.length; length += 1) {
      await writeFile(path, whole.subarray(0, length));
      const { records, torn } = await readLedger(path);
      expect([records.length, torn]).toEqual([ENTRIES.length - 1, true]);
    }
  });

  test('drops a torn last line and continues when it is opened again', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    await write(path, ENTRIES);
    const whole = await readFile(path);
    await truncate(path, whole.length - 5);
    await write(path, ENTRIES.slice(-1));
    expect(await readFile(path)).toEqual(whole);
  });
});

describe('a forged ledger', () => {
  const forgeries: [string, number, (lines: string[]) => string[]][] = [
    ['a changed record', 3, (lines) => lines.map((line) => line.replace('"run-1"', '"run-9"'))],
    ['a dropped record', 2, (lines) => lines.toSpliced(1, 1)],
    ['two swapped records', 2, ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]],
    ['a repeated record', 2, ([a = '', ...rest]) => [a, a, ...rest]],
    ['a dropped first record', 1, (lines) => lines.slice(1)],
    ['an unknown field', 1, ([a = '', ...rest]) => [a.replace('{', '{"extra":1,'), ...rest]],
    ['a line that ends otherwise', 3, (lines) => lines.map((line, index) => (index === 2 ? `${line}\r` : line))],
    ['a field that is there twice', 1, ([a = '', ...rest]) => [a.replace('{', '{"kind":"voided",'), ...rest]],
    ['a last line with a space', 5, (lines) => lines.map((line, index) => (index === 4 ? `${line} ` : line))],
    ['a renumbered record', 1, ([a = '', ...rest]) => [a.replace('"seq":1', '"seq":7'), ...rest]],
  ];

  for (const [what, line, forge] of forgeries) {
    test(`is detected by ${what}, and the line is named`, async () => {
      const folder = await temporaryFolder();
      const path = join(folder, 'ledger.jsonl');
      await write(path, ENTRIES);
      await rewriteLines(path, forge);
      await expect(readLedger(path)).rejects.toMatchObject({
        code: expect.stringMatching(/^ledger_/),
        params: { line: `${path}:${line}` },
      });
    });
  }

  test('cannot be appended to', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'ledger.jsonl');
    await write(path, ENTRIES);
    await rewriteLines(path, (lines) => lines.toSpliced(1, 1));
    await expect(openLedger(path, noon)).rejects.toMatchObject({ code: 'ledger_other_seq' });
  });
});
