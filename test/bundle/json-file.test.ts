import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJsonFile } from '../../src/bundle/json-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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

  test('may have just the most bytes that are allowed, and not one more', async () => {
    const path = await fileOf(GOOD);
    const bytes = Buffer.byteLength(GOOD);
    expect(await read(path, bytes)).toMatchObject({ name: 'é' });
    await expect(read(path, bytes - 1)).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringContaining(path),
    });
  });

  test('that is missing is named, also where a folder on its way is a file', async () => {
    const file = await fileOf(GOOD);
    for (const path of [join(await temporaryFolder(), 'none.json'), join(file, 'none.json')]) {
      await expect(read(path)).rejects.toMatchObject({ code: 'file_missing', message: `${path} is missing` });
    }
  });

  test('that is a link, even to a good file, or a folder is refused', async () => {
    const folder = await temporaryFolder();
    const [link, inner] = [join(folder, 'link.json'), join(folder, 'folder.json')];
    await symlink(await fileOf(GOOD), link);
    await mkdir(inner);
    for (const path of [link, inner]) {
      await expect(read(path)).rejects.toMatchObject({ code: 'not_a_file', message: expect.stringContaining(path) });
    }
  });

  test.each(['', '{', 'not json', `${GOOD}x`])('that holds %j is not JSON', async (text) => {
    const path = await fileOf(text);
    await expect(read(path)).rejects.toMatchObject({ code: 'not_json', params: { file: path } });
  });

  test.each([
    ['{"sizes":[]}', 'name is missing; give text'],
    ['{"name":"x","sizes":[1,"2"]}', 'sizes.1 must be a'],
    ['{"name":"x","sizes":[],"\\u001b[31m":1}', '"\\u001b[31m" unknown field'],
    ['3', 'must be a map of fields, not 3'],
    ['{"name":1,"sizes":1}', '(and 1 more)'],
  ])('of another shape says which field is wrong: %s', async (text, message) => {
    const path = await fileOf(text);
    await expect(read(path)).rejects.toMatchObject({
      name: 'BundleError',
      code: 'other_shape',
      message: expect.stringContaining(message),
    });
    await expect(read(path)).rejects.toThrow(`${path} is not a thing: `);
  });

  test('that is large names the first problem alone: to gather a million takes more memory than there is', async () => {
    const path = await fileOf(`{"name":1,"sizes":[${'"",'.repeat(1e6)}""]}`);
    await expect(read(path, 10_000_000)).rejects.toThrow(/is not a thing: name must be text[^(]*$/);
  });

  test('nested so deep that no check can follow is malformed, not a crash', async () => {
    const depth = 100_000;
    const path = await fileOf(`{"name":"x","sizes":[],"extra":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    await expect(read(path)).rejects.toMatchObject({ name: 'BundleError', code: 'other_shape' });
  });
});
