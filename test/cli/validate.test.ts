import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/program.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const APP = `export default () => ({ fetch: () => new Response(), state: () => null });`;
const HEADER = `{"kind":"header","schema_version":1,"task":"a","surface":"aria","provenance":"authored"}\n`;

const TASK = `{ id: a, title: A, startUrl: 'http://mine.localhost/', goal: A, success: { kind: no_dialog } }`;

async function validated(app: string, transcript: string, proof?: string, task = TASK) {
  const world = 'world: { kind: local, sites: [{ origin: http://mine.localhost, app: app/app.ts }] }';
  const suite = await folderOf(
    {
      ...(proof === undefined ? {} : { 'qualification.json': proof }),
      'app/app.ts': app,
      'transcripts/a.aria.jsonl': transcript,
      'suite.yaml': `id: mine\ntitle: Mine\ntasks: [task.yaml]\n${world}\n`,
      'task.yaml': task,
    },
    'mine',
  );
  return await touchstone('validate', suite);
}

test('a suite whose app and transcript can be loaded is sound', async () => {
  expect(await validated(APP, HEADER)).toMatchObject({ exit: 0, out: expect.stringContaining('1 task, no problem') });
});

test.each([
  ['an app that cannot be run', "throw new Error('no seed');", /app\/app\.ts: the app cannot be run: no seed\n$/],
  [
    'an app without state()',
    'export default () => ({ fetch: () => new Response() });',
    /app\/app\.ts: its app has no state\(\)/,
  ],
])('%s is a problem of its file', async (_, app, problem) => {
  expect(await validated(app, HEADER)).toMatchObject({ exit: 2, out: expect.stringMatching(problem) });
});

test('a missing program of the app is a problem of the suite file, at its command', async () => {
  const app = await temporaryFolder();
  const suite = path.join(app, 'mine');
  await mkdir(suite);
  const program = `      program:\n        folder: ..\n        command: [nobody-has-this, app.py, "{{port}}"]\n`;
  const world = `world:\n  kind: local\n  sites:\n    - origin: http://mine.localhost\n${program}`;
  await writeFile(path.join(suite, 'suite.yaml'), `id: mine\ntitle: Mine\ntasks: [task.yaml]\n${world}`);
  await writeFile(path.join(suite, 'task.yaml'), TASK);
  const { exit, out } = await touchstone('validate', suite);
  expect(exit).toBe(2);
  expect(out).toMatch(/mine\/suite\.yaml:10:9 world\.sites\[0\]\.program\.command: .* needs "nobody-has-this"/);
});

test('documents and tests of an app that is a whole repository are named for leave_out', async () => {
  const warned = async (leaveOut = '', folder = '..'): Promise<string> => {
    const app = await temporaryFolder();
    const suite = path.join(app, 'mine');
    for (const each of ['src', 'Tests', 'docs', 'mine/app/docs'])
      await mkdir(path.join(app, each), { recursive: true });
    for (const each of ['README.md', 'test_shop.py', 'tests.py', 'shop.test.ts', 'shop.ts'])
      await writeFile(path.join(app, each), '');
    const program = `      program:\n        folder: ${folder}\n${leaveOut}        command: [node, shop.ts, "{{port}}"]\n`;
    const world = `world:\n  kind: local\n  sites:\n    - origin: http://mine.localhost\n${program}`;
    await writeFile(path.join(suite, 'suite.yaml'), `id: mine\ntitle: Mine\ntasks: [task.yaml]\n${world}`);
    await writeFile(path.join(suite, 'task.yaml'), TASK);
    const { exit, err } = await touchstone('validate', suite);
    expect(exit).toBe(0);
    return err;
  };
  const named = '[README.md, Tests, docs, shop.test.ts, test_shop.py]';
  expect(await warned()).toMatch(/mine\/suite\.yaml:9:9 world\.sites\[0\]\.program\.folder: /);
  expect(await warned()).toContain(`"leave_out: ${named}"`);
  expect(await warned(`        leave_out: ${named}\n`)).not.toContain('leave_out');
  expect(await warned('', 'app')).not.toContain('leave_out');
});

test('problems of files, code and transcripts are reported together', async () => {
  const { out } = await validated('export const app = 1;', '{"kind":', undefined, TASK.replace('goal: A, ', ''));
  expect(out).toMatch(/task\.yaml:\S+ goal: is missing/);
  expect(out).toContain('app.ts: has no app as its default export');
  expect(out).toContain('a.aria.jsonl:1:1: is not JSON');
});

async function validatedWithCommand(named: 'the suite' | 'a task' | 'an instance' | null) {
  const folder = await temporaryFolder();
  const name = (what: typeof named, honest: string): string => (what === named ? '$(touch started);a' : honest);
  await mkdir(path.join(folder, 'site'));
  const world = { kind: 'local', sites: [{ origin: 'http://mine.localhost', static: 'site' }] };
  const suite = { id: name('the suite', 'mine'), title: 'Mine', tasks: ['task.yaml'], world };
  const task = {
    id: name('a task', 'a'),
    title: 'A',
    startUrl: 'http://mine.localhost/',
    goal: 'Send {{what}}',
    success: { kind: 'url', pattern: 'sent' },
    instances: [{ name: name('an instance', 'one'), parameters: { what: 'it' } }],
  };
  await writeFile(path.join(folder, 'suite.yaml'), JSON.stringify(suite));
  await writeFile(path.join(folder, 'task.yaml'), JSON.stringify(task));
  return await touchstone('validate', folder);
}

test.each(['the suite', 'a task', 'an instance'] as const)(
  'a name of %s that a shell would run when a line is pasted is refused',
  async (named) => {
    const { exit, out } = await validatedWithCommand(named);
    expect(exit).toBe(2);
    expect(out).toMatch(/(id|name): is not an id/);
  },
);

test('harmless names are sound', async () => {
  expect(await validatedWithCommand(null)).toMatchObject({ exit: 0 });
});

test('a broken transcript is a problem of its line', async () => {
  const { exit, out } = await validated(APP, `${HEADER}{"kind":\n`);
  expect(exit).toBe(2);
  expect(out).toMatch(/transcripts\/a\.aria\.jsonl:2:1: is not JSON\n$/);
});

test('a prompt that holds an answer, or names an unknown tool, is a problem with its place', async () => {
  const file = path.join(await temporaryFolder(), 'mine.md');
  const own = await readFile('prompts/default.md', 'utf8');
  await writeFile(file, `${own}\nSuch as Example Domain, by \`page_click\`.\n`);
  const { exit, out } = await touchstone('validate', 'basics', '--prompt', file);
  const line = own.split('\n').length + 1;
  expect([exit, out.split('\n').filter((each) => each.includes(`mine.md:${line}`))]).toEqual([
    2,
    [expect.stringContaining('`page_click` is not a tool'), expect.stringContaining('"Example Domain" is a literal')],
  ]);
  await writeFile(file, own);
  expect(await touchstone('validate', 'basics', '--prompt', file)).toMatchObject({ exit: 0 });
});

test('a built-in prompt that holds a literal of one’s own task is a warning, and the suite has no problem', async () => {
  const { exit, out, err } = await validated(
    APP,
    HEADER,
    undefined,
    TASK.replace('no_dialog', 'dom_text, equals: carried out'),
  );
  expect([exit, out]).toEqual([0, expect.stringContaining('1 task, no problem')]);
  expect(err).toMatch(/^warning: prompts\/default\.md:\S+ "carried out" is a literal/m);
});

test('a suite may be named by its file, too', async () => {
  const { exit, out } = await touchstone('validate', 'suites/account/suite.yaml');
  expect({ exit, out }).toEqual({
    exit: 0,
    out: 'suites/account/suite.yaml: 6 tasks, no problem; 6 of 6 tasks qualify\n',
  });
});

test('a missing proof is reported with the command that makes it', async () => {
  const sound = /mine: 1 task, no problem; 0 of 1 task qualifies; no proof yet of a: touchstone qualify \S+mine\n$/;
  expect(await validated(APP, HEADER)).toMatchObject({ exit: 0, out: expect.stringMatching(sound) });
  const ofOthers = await readFile('suites/account/qualification.json', 'utf8');
  expect(await validated(APP, HEADER, ofOthers)).toMatchObject({ exit: 0, out: expect.stringMatching(sound) });
});

test('a proof that contradicts itself is a problem of its field', async () => {
  const proof = await readFile('suites/account/qualification.json', 'utf8');
  const { exit, out } = await validated(APP, HEADER, proof.replace(/"passed": \d+/, '"passed": 999'));
  expect(exit).toBe(2);
  expect(out).toMatch(/mine\/qualification\.json:\d+:\d+ tasks\.\S+\.passed: is more than were tried\n/);
});

test('a terminal shows what is checked until that is done, and a log has only the outcome', async () => {
  const folder = await folderOf({ 'suite.yaml': 'id: mine' });
  const [shown, noted]: [string[][], string[]] = [[], []];
  const screen = { size: { columns: 200, rows: 24 }, show: (lines: () => string[]) => shown.push(lines()) };
  const said = { out: () => {}, note: (line: string) => noted.push(line) };
  await main(['validate', folder], { ...said, screen });
  expect([shown.at(0), shown.at(-1)]).toEqual([[expect.stringContaining(`checking ${folder}`)], []]);
  await main(['validate', folder], said);
  expect(noted.join('\n')).not.toContain('checking');
});
