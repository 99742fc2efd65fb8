import { appendFile, readFile, writeFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openJsonLines, readJsonLines, type JsonLine } from '../../src/bundle/jsonl.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readJsonFile } from '../../src/bundle/json-file.ts';

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

  test('is appended to when it is opened again', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    for (const value of ['first', 'second']) {
      const writer = await openJsonLines(path);
      await writer.append(value);
      await writer.close();
    }
    expect(await readFile(path, 'utf8')).toBe('"first"\n"second"\n');
  });

  test('is read up to a torn last line, which is marked', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'events.jsonl');
    await writeFile(path, '{"whole":1}\n{"tor');
    expect(await collect(readJsonLines(path))).toEqual([
      { number: 1, torn: false, value: { whole: 1 }, text: '{"whole":1}', end: 12 },
      { number: 2, torn: true },
    ]);
  });

  test('treats a last line without its newline as torn, even if it is whole JSON', async () => {
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

const Shape = z.strictObject({ name: z.string(), sizes: z.array(z.int()), extra: z.json().optional() });
const GOOD = '{"name":"é","sizes":[1,2]}';

async function read(path: string, maxBytes = 1_000_000): Promise<unknown> {
  return readJsonFile(path, Shape, 'a thing', { maxBytes });
}

async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'thing.json');
  await writeFile(path, text);
  return path;
}

describe('a JSON file of a bundle', () => {
  test('is its value', async () => {
    expect(await read(await fileOf(GOOD))).toEqual({ name: 'é', sizes: [1, 2] });
  });

  test('may have the limit of bytes, and not one more', async () => {
    const path = await fileOf(GOOD);
    const bytes = Buffer.byteLength(GOOD);
    expect(await read(path, bytes)).toMatchObject({ name: 'é' });
    await expect(read(path, bytes - 1)).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringContaining(path),
    });
  });

  test('is named if it is missing, even if a folder of its path is a file', async () => {
    const file = await fileOf(GOOD);
    for (const path of [join(await temporaryFolder(), 'none.json'), join(file, 'none.json')]) {
      await expect(read(path)).rejects.toMatchObject({ code: 'file_missing', message: `${path} is missing` });
    }
  });

  test('is refused if it is a link, even to a good file, or a folder', async () => {
    const folder = await temporaryFolder();
    const [link, inner] = [join(folder, 'link.json'), join(folder, 'folder.json')];
    await symlink(await fileOf(GOOD), link);
    await mkdir(inner);
    for (const path of [link, inner]) {
      await expect(read(path)).rejects.toMatchObject({ code: 'not_a_file', message: expect.stringContaining(path) });
    }
  });

  test.each(['', '{', 'not json', `${GOOD}x`])('is not JSON if it holds %j', async (text) => {
    const path = await fileOf(text);
    await expect(read(path)).rejects.toMatchObject({ code: 'not_json', params: { file: path } });
  });

  test.each([
    ['{"sizes":[]}', 'name is missing; give text'],
    ['{"name":"x","sizes":[1,"2"]}', 'sizes.1 must be a'],
    ['{"name":"x","sizes":[],"\\u001b[31m":1}', '"\\u001b[31m" unknown field'],
    ['3', 'must be a map of fields, not 3'],
    ['{"name":1,"sizes":1}', '(and 1 more)'],
  ])('has the wrong shape at the field named: %s', async (text, message) => {
    const path = await fileOf(text);
    await expect(read(path)).rejects.toMatchObject({
      name: 'BundleError',
      code: 'other_shape',
      message: expect.stringContaining(message),
    });
    await expect(read(path)).rejects.toThrow(`${path} is not a thing: `);
  });

  test('has only its first problem named: to gather a million takes more memory than there is', async () => {
    const path = await fileOf(`{"name":1,"sizes":[${'"",'.repeat(1e6)}""]}`);
    await expect(read(path, 10_000_000)).rejects.toThrow(/is not a thing: name must be text[^(]*$/);
  });

  test('nested too deeply for any check is malformed, not a crash', async () => {
    const depth = 100_000;
    const path = await fileOf(`{"name":"x","sizes":[],"extra":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    await expect(read(path)).rejects.toMatchObject({ name: 'BundleError', code: 'other_shape' });
  });
});
