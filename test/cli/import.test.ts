import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WRITE_COMMANDS } from '../../src/cli/commands/write.ts';
import { IMPORTERS } from '../../src/dataset/importers.ts';
import { MINIWOB } from '../../src/dataset/miniwob/pages.ts';
import { folderOf } from '../suite-files.ts';
import { touchstone } from './touchstone.ts';

const ROW = { task_id: 3, intent: 'Find it', start_url: '__MAP__', eval: { reference_answers: {} } };

async function imported(rows: object[], name = 'webarena') {
  const checkout = await folderOf({ 'config_files/test.raw.json': JSON.stringify(rows) }, 'webarena');
  const folder = path.join(checkout, 'list');
  return { folder, ...(await touchstone('import', name, checkout, '--out', folder)) };
}

test('an import writes the tasks, and a file with their source, counts and hashes', async () => {
  const { exit, folder } = await imported([ROW, { ...ROW, task_id: 4 }]);
  const list = await readFile(path.join(folder, 'tasks.jsonl'), 'utf8');
  const sha256 = createHash('sha256').update(list).digest('hex');
  expect(exit).toBe(0);
  expect(
    list
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ id: '3' }, { id: '4' }]);
  expect(JSON.parse(await readFile(path.join(folder, 'dataset.json'), 'utf8'))).toMatchObject({
    dataset: 'webarena',
    licence: 'Apache-2.0',
    commit: null,
    files: [{ file: 'config_files/test.raw.json', rows: 2 }],
    tasks: { file: 'tasks.jsonl', sha256, count: 2 },
    counts: { 'needs a contract': 2 },
    excluded: [],
  });
});

test('a malformed row is printed and recorded, and the import exits with 1', async () => {
  const { exit, out, folder } = await imported([ROW, { ...ROW, intent: '' }]);
  expect(exit).toBe(1);
  expect(out).toContain('excluded config_files/test.raw.json:1');
  expect(JSON.parse(await readFile(path.join(folder, 'dataset.json'), 'utf8'))).toMatchObject({
    tasks: { count: 1 },
    excluded: [{ file: 'config_files/test.raw.json', line: 1, why: expect.stringContaining('intent') }],
  });
});

test('an unknown data set is refused with the known ones', async () => {
  expect(await imported([ROW], 'webarina')).toMatchObject({ exit: 2 });
});

test('the command completes the name of every importer', () => {
  const { words } = WRITE_COMMANDS.find(({ name }) => name === 'import') ?? {};
  expect(words?.toSorted()).toEqual([...IMPORTERS, MINIWOB].map(({ name }) => name).toSorted());
});
