import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { givenFiles } from '../../src/plan/plan-campaign.ts';
import { handOver, hashesOf, MAX_GIVEN_BYTES } from '../../src/task/given-files.ts';
import { readTasks } from '../../src/task/load-task.ts';
import { readGiven } from '../../src/task/suite-paths.ts';
import { defineTask, validateTask } from '../../src/task/validate.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SAMPLE } from './sample-task.ts';

let suite: string;

beforeEach(async () => {
  const folder = await temporaryFolder();
  suite = path.join(folder, 'suite');
  await mkdir(path.join(suite, 'files'), { recursive: true });
  await writeFile(path.join(suite, 'files', 'a.txt'), 'a');
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
  await symlink(path.join(folder, 'secret.txt'), path.join(suite, 'files', 'link.txt'));
  await symlink(folder, path.join(suite, 'up'));
});

const codesOf = async (...files: string[]): Promise<unknown> => {
  const read = await readGiven({ files }, suite);
  return read.ok ? read.value : read.problems.map(({ path: [, at], what: { code } }) => [at, code]);
};

test('a file of the suite is read, under its name without folders', async () => {
  expect(await codesOf('files/a.txt')).toEqual([{ name: 'a.txt', bytes: Buffer.from('a') }]);
});

test.each([
  ['../secret.txt', 'path_leaves'],
  ['/etc/passwd', 'path_not_relative'],
  ['files/link.txt', 'path_leaves'],
  ['up/secret.txt', 'path_leaves'],
  ['files', 'given_not_a_file'],
  ['files/missing.txt', 'given_not_found'],
])('%s is not given: %s', async (file, code) => {
  expect(await codesOf('files/a.txt', file)).toEqual([[1, code]]);
});

test('all files together have a bound, which one may reach and none may pass', async () => {
  const big = path.join(suite, 'big.bin');
  await writeFile(big, Buffer.alloc(MAX_GIVEN_BYTES - 1));
  expect(await codesOf('files/a.txt', 'big.bin')).toHaveLength(2);
  await appendFile(big, 'x');
  expect(await codesOf('files/a.txt', 'big.bin')).toEqual([[1, 'files_too_big']]);
  expect(await codesOf('big.bin')).toHaveLength(1);
});

test('a file that unpacks to far more is handed over as it is: nothing unpacks it', async () => {
  const packed = gzipSync(Buffer.alloc(64 * MAX_GIVEN_BYTES));
  await writeFile(path.join(suite, 'bomb.gz'), packed);
  const read = await readGiven({ files: ['bomb.gz'] }, suite);
  const home = await temporaryFolder();
  const files = read.ok ? read.value : [];
  const paths = await handOver({ here: home, inside: '/home/files-1' }, { files, foundAt: () => {} });
  expect([...paths.values()]).toEqual(['/home/files-1/files/bomb.gz']);
  expect(await readdir(home, { recursive: true })).toEqual(['files', 'files/bomb.gz']);
  expect(await readFile(path.join(home, 'files/bomb.gz'))).toEqual(packed);
});

test('a file that has changed or grown since the plan is not given', async () => {
  const file = path.join(suite, 'files', 'a.txt');
  const task = defineTask({ ...SAMPLE, files: ['files/a.txt'] });
  const given = () => givenFiles({ file: path.join(suite, 'suite.yaml') }, task, planned);
  const planned = hashesOf([{ name: 'a.txt', bytes: Buffer.from('a') }]);
  expect(await given()).toHaveLength(1);
  await writeFile(file, 'b');
  await expect(given()).rejects.toMatchObject({ code: 'given_file_changed' });
  await writeFile(file, Buffer.alloc(MAX_GIVEN_BYTES + 1));
  await expect(given()).rejects.toMatchObject({ code: 'bad_given_file' });
});

test('a step uploads only what the task gives, and names are given once', () => {
  const upload = (name: string) => ({ do: 'upload' as const, role: 'button', name: 'Photo', files: [name] });
  const problemsOf = (files: string[], name: string) => {
    const result = validateTask({
      ...SAMPLE,
      files,
      solutions: [{ steps: [upload(name)] }],
      nearMisses: [{ why: 'another', steps: [upload(name)] }],
    });
    return result.ok ? [] : result.problems.map(({ path: at, what: { code } }) => `${at.join('.')} ${code}`);
  };
  expect(problemsOf(['files/a.txt'], 'a.txt')).toEqual([]);
  expect(problemsOf(['files/a.txt'], 'files/a.txt')).toEqual([
    'solutions.0.steps.0.files file_with_folder',
    'nearMisses.0.steps.0.files file_with_folder',
  ]);
  expect(problemsOf(['files/a.txt'], 'b.txt')).toContain('solutions.0.steps.0.files file_not_given');
  expect(problemsOf(['a.txt', 'files/a.txt'], 'a.txt')).toEqual(['files.1 file_name_twice']);
});

test.each([
  [
    ['a.txt', 'files/a.txt', 'b.txt'],
    ['0 files/a.txt', '2 '],
  ],
  [['files/a.txt'], []],
])('the files %s are looked for although the task has another problem', async (files, expected) => {
  const file = path.join(suite, 'task.json');
  await writeFile(file, JSON.stringify({ ...SAMPLE, files, maxSteps: 'many' }));
  const { tasks, problems } = await readTasks(file, { folder: suite });
  expect(tasks).toEqual([]);
  expect(problems.map(({ what: { code } }) => code)).toContain('wrong_type');
  const missing = problems.filter(({ what: { code } }) => code === 'given_not_found');
  expect(missing.map(({ path: [, at], what: { params } }) => `${at} ${String(params['meant'])}`)).toEqual(expected);
});
