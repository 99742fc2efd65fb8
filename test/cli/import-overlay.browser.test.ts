import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { PACKAGE_APPS } from '../../src/task/suite-paths.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { performed } from '../suites/performed.ts';
import { touchstone } from './touchstone.ts';

const ROWS = ['Notes--0', 'Notes--1', 'Recipes--0'].map((id) => ({
  id,
  ques: `Delete the note "Old shopping list" (${id}).`,
  web: 'https://notes.example/',
}));

const STEPS = (note: string): string => `
      - steps:
          - { do: click, role: button, name: Delete ${note} }
          - { do: dialog, action: accept }`;

const entry = (more = ''): string => `
    startUrl: http://basics.localhost/notes${more}
    success: { kind: app_state, pointer: /notes, equals: [Water the plants, Call the plumber] }
    guards: { kind: unchanged, except: [/notes] }
    solutions:${STEPS('Old shopping list')}
    nearMisses:${STEPS('Call the plumber').replace('- steps', '- why: another note was deleted\n        steps')}
`;

/** @param world as the overlay has it; by default with the app of the suite `basics` */
async function imported(
  tasks: string,
  world?: string,
  files: Record<string, string> = {},
  { list = 'list', links = {} }: { list?: string; links?: Record<string, string> } = {},
) {
  const folder = await folderOf({
    'set/data/WebVoyager_data.jsonl': ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
    ...files,
  });
  const own = path.join(folder, 'own');
  const app = path.relative(own, path.join(PACKAGE_APPS, 'basics/app.ts'));
  const out = path.join(folder, list);
  const file = path.join(own, 'notes.yaml');
  await mkdir(own, { recursive: true });
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(folder, name));
  await writeFile(file, `world: ${world ?? siteOf(`app: ${app}`)}\ntasks:\n${tasks}`);
  const ran = await touchstone('import', 'webvoyager', path.join(folder, 'set'), '--out', out, '--overlay', file);
  return { ...ran, out, suite: path.join(out, 'notes'), file };
}

const siteOf = (served: string): string => `{ kind: local, sites: [{ origin: http://basics.localhost, ${served} }] }`;

test('a row with an overlay is a valid task whose reference passes, and whose near-miss fails', async () => {
  const { exit, out, suite } = await imported(`  Notes--1:${entry()}`);
  expect(exit).toBe(0);
  expect(JSON.parse(await readFile(path.join(out, 'dataset.json'), 'utf8'))).toMatchObject({
    counts: { draft: 1, 'judged by a model upstream': 2 },
  });
  expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });
  const bundle = path.join(out, 'bundle');
  expect(await touchstone('run', suite, '--agent', 'reference', '--out', bundle)).toMatchObject({ exit: 0 });
  const loaded = await suiteIn(suite);
  const [{ task } = {}] = loaded.tasks;
  if (task === undefined) throw new Error('the suite has no task');
  expect(task).toMatchObject({ id: 'Notes-1', goal: ROWS[1]?.ques, tags: ['draft', 'webvoyager:Notes--1'] });
  const [{ steps } = { steps: [] }] = task.nearMisses ?? [];
  const missed = await performed(await loadSuiteWorld(loaded), task, referenceAgent('near-miss', steps));
  expect(missed).toMatchObject({ status: 'failed' });
});

const SHOP = {
  'app.ts': "export { default } from './notes.ts';",
  'notes.ts':
    "import { defineApp } from 'touchstone';\nexport default defineApp(() => ({ state: () => ({ notes: [] }), fetch: () => new Response('') }));",
};

test.each([
  ['', 'shop', 'list'],
  [', even if the list is written into that folder', 'shop', 'own/shop/list'],
  [', even if its name begins with dots', '..shop', 'list'],
])('an app beside the overlay comes along with the files of its folder%s', async (_, shop, list) => {
  const files = Object.fromEntries(Object.entries(SHOP).map(([name, text]) => [`own/${shop}/${name}`, text]));
  const { exit, suite } = await imported(`  Notes--1:${entry()}`, siteOf(`app: ${shop}/app.ts`), files, { list });
  expect(exit).toBe(0);
  expect((await readdir(path.join(suite, shop))).toSorted()).toEqual(['app.ts', 'notes.ts']);
  expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });
});

test('links in the folder of an app lead to copies', async () => {
  const files = { 'own/shop/lib/notes.ts': SHOP['notes.ts'] };
  const links = { 'own/shop/app.ts': 'lib/notes.ts', 'own/shop.ts': 'shop/lib/notes.ts' };
  for (const app of ['shop/app.ts', 'shop.ts']) {
    const { exit, suite } = await imported(`  Notes--1:${entry()}`, siteOf(`app: ${app}`), files, { links });
    expect(exit).toBe(0);
    expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });
  }
});

test('an archive that is yet to be recorded need not be there', async () => {
  const answer = "\n    success: { kind: answer, one_of: ['3'] }";
  const { exit, suite } = await imported(`  Notes--1:${answer}`, '{ kind: archive, archive: notes.zip }');
  expect(exit).toBe(0);
  expect((await suiteIn(suite)).tasks).toMatchObject([{ task: { startUrl: 'https://notes.example/' } }]);
});

test('a program outside the folder of the overlay is refused', async () => {
  const served = 'program: { folder: ../shop, command: [node, app.js, "{{port}}"] }';
  const { exit, err } = await imported(`  Notes--1:${entry()}`, siteOf(served), { 'shop/app.js': '' });
  expect({ exit, err }).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/notes\.yaml:1:\d+ world\.sites\[0\]\.program\.folder: /),
  });
});

test('unknown rows, fields of rows and malformed entries are all reported with their lines, and nothing is written', async () => {
  const { exit, err, out, file } = await imported(
    [
      `  Notes--3:${entry()}`,
      `  Notes--0:${entry('\n    goal: Delete it.')}`,
      `  Notes--1:${entry('\n    maxStep: 3')}`,
      `  __proto__:${entry()}`,
      `  Recipes--0:${entry().replace('/notes\n', '/x\n').replace('basics.localhost/', 'elsewhere.localhost/')}`,
    ].join('\n'),
    siteOf('app: missing.ts'),
  );
  expect(exit).toBe(2);
  const lines = err.split('\n').filter((line) => line.includes(file));
  expect(lines).toEqual([
    expect.stringMatching(/notes\.yaml:1:\d+ world\.sites\[0\]\.app: .*missing\.ts/),
    expect.stringMatching(/notes\.yaml:\d+:\d+ tasks\.Notes--3: is not the id of a row; did you mean "Notes--\d"\?/),
    expect.stringMatching(
      /notes\.yaml:\d+:\d+ tasks\.Notes--0\.goal: is taken from the row; remove it from the overlay/,
    ),
    expect.stringMatching(/notes\.yaml:\d+:\d+ tasks\.Notes--1\.maxStep: .*"maxSteps"/),
    expect.stringMatching(/notes\.yaml:\d+:\d+ tasks\.__proto__: is not the id of a row/),
    expect.stringMatching(/notes\.yaml:\d+:\d+ tasks\.Recipes--0\.startUrl: is not on a site/),
  ]);
  expect(await touchstone('validate', out)).toMatchObject({ exit: 2 });
});
