import { rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, concerns, filesAt } from '../../src/cli/watched-files.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeSmallSuite } from './recorded-suite.ts';
import { touchstone } from './touchstone.ts';

async function concerned(...changed: string[]): Promise<string[]> {
  const suite = await suiteIn(await writeSmallSuite(await temporaryFolder()));
  const files = changed.map((file) => path.resolve(path.dirname(suite.file), file));
  const planned = suite.tasks.map(({ task }) => ({ suite: suite.id, task }));
  return planned.filter(concerns(files, [suite])).map(({ task }) => task.id);
}

test.each([
  ['its file', 'tasks/a.yaml', ['open-first']],
  ['its transcript', 'transcripts/open-more.aria.jsonl', ['open-more']],
  ['the suite file', 'suite.yaml', ['open-first', 'open-more']],
  ['a page of the app', 'site/more.html', ['open-first', 'open-more']],
  ['an agent outside of the suite', '../agent.mjs', ['open-first', 'open-more']],
])('a task is concerned by %s', async (_what, file, tasks) => {
  expect(await concerned(file)).toEqual(tasks);
});

test('no task is concerned if nothing has changed', async () => {
  expect(await concerned()).toEqual([]);
});

test('changes are found in new, rewritten and deleted files, and in no others', async () => {
  const place = await folderOf({
    'a.yaml': 'a',
    'b.yaml': 'b',
    'c.yaml': 'c',
    'node_modules/d.js': 'd',
    '.git/e': 'e',
  });
  const places = { folders: [place], files: [] };
  const before = filesAt(places);
  await writeFile(path.join(place, 'a.yaml'), 'other');
  await utimes(path.join(place, 'a.yaml'), 1, 1);
  await rm(path.join(place, 'b.yaml'));
  for (const name of ['new.yaml', 'node_modules/new.js', '.git/new']) await writeFile(path.join(place, name), 'new');
  const changed = changedFiles(before, filesAt(places)).map((file) => path.relative(place, file));
  expect(changed.toSorted()).toEqual(['a.yaml', 'b.yaml', 'new.yaml']);
});

test('a file covers those with its extension next to it', async () => {
  const place = await folderOf({ 'agent.mjs': '', 'part.mjs': '', 'agent.log': '', 'below/other.mjs': '' });
  const found = filesAt({ folders: [], files: [path.join(place, 'agent.mjs')] });
  expect([...found.keys()].map((file) => path.basename(file)).toSorted()).toEqual(['agent.mjs', 'part.mjs']);
});

test.each([
  ['--out', ['--out', 'there']],
  ['--json', ['--json']],
  ['--resume', ['--resume', 'bundles/none']],
])('--watch does not go with %s', async (name, options) => {
  const { exit, err } = await touchstone('run', 'basics', '--watch', ...options);
  expect([exit, err]).toEqual([2, expect.stringContaining(name)]);
});
