import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJsonLines, readJsonLines, type JsonLine } from '../../src/bundle/jsonl.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function collect(lines: AsyncIterable<JsonLine>): Promise<JsonLine[]> {
  const all = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('a JSON Lines file', () => {
  test('is read back in the order of the calls, with line numbers', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    const writer = await openJsonLines(path);
    const values = Array.from({ length: 100 }, (_, index) => ({ index, text: 'line\nbreak é '.repeat(index * 20) }));
    await Promise.all(values.map(async (value) => writer.append(value)));
    await writer.close();
    const lines = await collect(readJsonLines(path));
    expect(lines).toMatchObject(values.map((value, index) => ({ number: index + 1, torn: false, value })));
  });

  test('goes on at its end when it is opened again', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    for (const value of ['first', 'second']) {
      const writer = await openJsonLines(path);
      await writer.append(value);
      await writer.close();
    }
    expect(await readFile(path, 'utf8')).toBe('"first"\n"second"\n');
  });

  test('is read up to a torn last line, which says so', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    await writeFile(path, '{"whole":1}\n{"tor');
    expect(await collect(readJsonLines(path))).toEqual([
      { number: 1, torn: false, value: { whole: 1 }, text: '{"whole":1}', end: 12 },
      { number: 2, torn: true },
    ]);
  });

  test('takes a last line without its newline for torn, though it be whole JSON', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    await writeFile(path, '1\n23');
    expect(await collect(readJsonLines(path))).toContainEqual({ number: 2, torn: true });
  });

  test('names the line that is not JSON', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    await writeFile(path, '1\nnot json\n3\n');
    await expect(collect(readJsonLines(path))).rejects.toMatchObject({
      code: 'not_json',
      message: expect.stringContaining(`${path}:2`),
    });
  });

  test('cannot exhaust memory with an endless line', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    await appendFile(path, 'x'.repeat(300_000));
    await expect(collect(readJsonLines(path, 100_000))).rejects.toMatchObject({ code: 'line_too_long' });
  });
});
