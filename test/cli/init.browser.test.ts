import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { main } from '../../src/cli/program.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { freePort } from '../../src/world/real-app/app-process.ts';
import { onPath } from '../../src/process/environment.ts';
import { shellWord } from '../../src/report/shell-word.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { rowsOf } from './bundle-files.ts';
import { PROGRAM, typedIn } from './touchstone-process.ts';
import { touchstone } from './touchstone.ts';

const Folder = z.object({ 'working-directory': z.string().optional() });
const Workflow = z.object({
  jobs: z.object({
    run: z.object({ if: z.string(), steps: z.array(Folder.extend({ with: Folder.optional() })) }),
  }),
});
const GIVEN = ['--heading', 'Shop'];

/** A folder in which a script finds playwright-core, as after `npm install`. */
async function folderWithPlaywright(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'node_modules'));
  // A copy: the clone that a link would lead to is hidden from agents.
  const name = 'node_modules/playwright-core';
  await cp(path.join(packageRoot(), name), path.join(folder, name), { recursive: true });
  return folder;
}

/** Begins in a folder, with these answers in order; then the usual ones. */
async function initWith(folder: string, answers: string[], ...args: string[]): Promise<string> {
  let printed = '';
  const say = (line: string): void => {
    printed += `${line}\n`;
  };
  const left = [...answers];
  const ask = async (question: string): Promise<string> => {
    say(question);
    return left.shift() ?? '';
  };
  const exit = await main(['init', folder, ...args], { out: say, note: say, ask });
  return `exit ${exit}\n${printed}`;
}

test('a folder with only files of npm becomes the suite, and any other gets a folder for it', async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{}');
  expect((await typedIn(folder, 'init', '--yes')).out).toMatch(
    /^wrote {2}suite\.yaml$[^]*bundles\/ in this folder\.$/m,
  );
  const beside = await temporaryFolder();
  await writeFile(path.join(beside, 'notes.txt'), 'x');
  expect((await typedIn(beside, 'init', '--yes')).out).toMatch(
    /^wrote {2}touchstone\/suite\.yaml$[^]*^ {2}\S.* run$[^]*bundles\/ in this folder\.$/m,
  );
});

test('an unknown language is asked for again', async () => {
  const folder = path.join(await temporaryFolder(), 'notes');
  const said = await initWith(
    path.join(folder, 'bench'),
    ['python3 app.py', '/', '/__state', '/__reset', 'Python'],
    ...GIVEN,
  );
  expect(said).toContain('agents/python-agent/agent.py');
  expect(said).not.toContain('node-agent');
  expect(await readFile(path.join(folder, 'bench/tasks/read-heading.yaml'), 'utf8')).toContain('kind: unchanged');
});

test('a path without a slash is asked for again', async () => {
  const folder = path.join(await temporaryFolder(), 'bench');
  const said = await initWith(folder, ['python3 app.py', 'python', '/health', '', 'node'], ...GIVEN);
  expect(said).toContain('It must begin with a slash');
  expect(await readFile(path.join(folder, 'suite.yaml'), 'utf8')).toContain('/health');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a question ends init, with nothing written', async (_, key) => {
  const folder = await temporaryFolder();
  const words = [process.execPath, ...PROGRAM, 'init'];
  const child = spawn('script', ['-qec', words.map(shellWord).join(' '), '/dev/null'], { cwd: folder });
  let said = '';
  let isAsked = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    // Typed once: when the question is left, the terminal makes of a second Ctrl-C a signal.
    if (!isAsked && said.includes('[a small page')) child.stdin.write(key);
    isAsked = said.includes('[a small page');
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(said).toContain('the question was not answered, and nothing was done');
  expect(said).not.toContain('bug');
  expect([code, await readdir(folder)]).toEqual([2, []]);
});

test('a run of a suite warns that the agents of its campaign file are not used', async () => {
  const folder = path.join(await temporaryFolder(), 'bench');
  await touchstone('init', folder, '--yes');
  const note = expect.stringContaining(`${path.join(folder, 'touchstone.yaml')} is not used here`);
  expect(await touchstone('plan', folder)).toMatchObject({ exit: 0, err: note });
  expect(await touchstone('plan', folder, '--agent', 'null')).not.toMatchObject({ err: note });
});

test('init, validate and run make a judged row in an empty folder', async () => {
  const folder = path.join(await folderWithPlaywright(), 'my-bench');
  const begun = await touchstone('init', folder, '--yes');
  expect(begun.exit).toBe(0);
  expect(begun.out).not.toContain('npm install --prefix');
  const checked = await touchstone('validate', folder);
  expect(checked).toMatchObject({ exit: 0, out: expect.stringContaining('1 task, no problem') });
  expect(await typedIn(folder, 'run', '.', '--agent', './agents/node-agent/agent.mjs')).toMatchObject({ exit: 0 });
  const [bundle = ''] = await readdir(path.join(folder, 'bundles'));
  expect(bundle).toMatch(/^\d{8}T\d{6}-my-bench$/);
  expect((await rowsOf(path.join(folder, 'bundles', bundle)))[0]).toMatchObject({
    suite: 'my-bench',
    agent: 'node-agent',
    status: 'passed',
  });
  const { out } = await typedIn(folder, 'plan', '--agent', 'null', '--json');
  expect(JSON.parse(out)).toMatchObject({ entrants: [{ agent: 'null', surface: 'aria' }] });
});

test('the hints for editors lead to schemas, and nothing is overwritten', async () => {
  const folder = path.join(await temporaryFolder(), 'bench');
  expect((await touchstone('init', folder, '--yes')).out).toContain(`npm install --prefix`);
  for (const name of ['touchstone.yaml', 'suite.yaml', 'tasks/read-heading.yaml']) {
    const file = path.join(folder, name);
    const [, schema = ''] = /\$schema=(\S+)/.exec(await readFile(file, 'utf8')) ?? [];
    expect(JSON.parse(await readFile(path.resolve(path.dirname(file), schema), 'utf8'))).toHaveProperty('$id');
  }
  await writeFile(path.join(folder, 'suite.yaml'), 'mine');
  const again = await touchstone('init', folder, '--yes');
  expect(again.out).not.toContain('wrote');
  expect(await readFile(path.join(folder, 'suite.yaml'), 'utf8')).toBe('mine');
});

const SERVER = `
  import { existsSync } from 'node:fs';
  import http from 'node:http';
  const seen = ['touchstone', 'bundles', '.git'].filter((name) => existsSync(name));
  http.createServer(({ url }, response) => {
    response.writeHead(url === '/none' ? 404 : 200, { 'content-type': 'text/html' });
    response.end('<h1>Shop\\'s, ' + (seen.join() || 'alone') + '</h1>');
  }).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** An agent in Python needs one. */
const AGENTS = onPath('python3') === null ? ['node'] : ['node', 'python'];

test.each(AGENTS)(
  'an app that is started, and an agent in %s: passes until the app shows another heading',
  async (agent) => {
    const app = await folderWithPlaywright();
    await writeFile(path.join(app, 'server.mjs'), SERVER);
    await mkdir(path.join(app, '.git'));
    await mkdir(path.join(app, 'bundles/earlier'), { recursive: true });
    await writeFile(path.join(app, 'bundles/earlier/campaign.json'), '{}');
    const folder = path.join(app, 'touchstone');
    const said = await initWith(folder, ['node server.mjs', '', '', agent]);
    expect(said).toMatch(/^exit 0\n[^]*^read {3}"Shop's, bundles" at http:\S+\/$/m);
    const campaign = ['--campaign', path.join(folder, 'touchstone.yaml'), '--out'];
    const run = async (bundle: string) => await touchstone('run', ...campaign, path.join(app, 'out', bundle));
    expect(await run('first')).toMatchObject({ exit: 0 });
    expect((await rowsOf(path.join(app, 'out/first')))[0]).toMatchObject({ agent: `${agent}-agent`, status: 'passed' });
    await writeFile(path.join(app, 'server.mjs'), SERVER.replace('Shop', 'Store'));
    const second = await run('second');
    expect(second).toMatchObject({ exit: 1, err: expect.stringContaining("Store's, bundles") });
  },
);

test('an app that cannot be given a port is found at its own', async () => {
  const app = await temporaryFolder();
  const port = await freePort();
  await writeFile(path.join(app, 'server.mjs'), SERVER.replace('Number(process.env.PORT)', String(port)));
  const folder = path.join(app, 'touchstone');
  expect(await touchstone('init', folder, '--yes', '--app', 'node server.mjs')).toMatchObject({
    exit: 0,
    err: expect.stringContaining(`your app listens on port ${port}`),
  });
  expect(await readFile(path.join(folder, 'suite.yaml'), 'utf8')).toContain(`port: ${port}\n`);
});

test.each([
  ['breaks', ['node broken.mjs'], 'no database today'],
  ['is not there', ['nothing-of-this-name start'], 'is not installed'],
  ['has no such page', ['node server.mjs', '--start', '/none'], '/none was answered with 404'],
  ['shows neither heading nor title', ['.', '--start', '/empty.html'], 'has neither a heading (h1) nor a title'],
  ['does not run', ['http://127.0.0.1:9'], 'no server answers at http://127.0.0.1:9'],
])('an app that %s is refused, and nothing is left', async (_what, [app = '', ...more], why) => {
  const place = await temporaryFolder();
  await writeFile(path.join(place, 'server.mjs'), SERVER);
  await writeFile(path.join(place, 'empty.html'), '<p>Nothing');
  await writeFile(path.join(place, 'broken.mjs'), "console.error('no database today'); process.exit(1)");
  const before = await readdir(place);
  const refused = await typedIn(place, 'init', '--yes', '--app', app, ...more);
  expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining(why) });
  expect(await readdir(place)).toEqual(before);
});

test('a question for an app that shows no page is asked again', async () => {
  const app = await temporaryFolder();
  await writeFile(path.join(app, 'about.html'), '<title>About us</title>');
  const said = await initWith(path.join(app, 'touchstone'), [app, 'python', app, '/about.html']);
  expect(said).toMatch(/^exit 0\n[^]*was answered with 404\n[^]*^read {3}"About us" at \S+\/about\.html$/m);
  expect(said.match(/node or python/g)).toHaveLength(1);
});

test('an app in the named folder is started there, and its suite gets a folder in it', async () => {
  const above = await temporaryFolder();
  await writeFile(path.join(above, 'private.txt'), 'of another project');
  const app = path.join(above, 'shop');
  await mkdir(app);
  await writeFile(path.join(app, 'server.mjs'), SERVER);
  const begun = await touchstone('init', app, '--yes', '--app', 'node server.mjs');
  expect(begun).toMatchObject({ exit: 0, out: expect.stringMatching(/^wrote {2}\S+shop\/touchstone\/suite\.yaml$/m) });
  expect([await readdir(above), await readdir(app)]).toEqual([
    ['private.txt', 'shop'],
    ['.github', '.gitignore', 'server.mjs', 'touchstone'],
  ]);
  const again = await touchstone('init', app, '--yes');
  expect(again.out).toMatch(/^The suite that was begun before stays as it is: \S+shop\/touchstone$/m);
});

test('an app in the folder of its suite is refused before the next question', async () => {
  const folder = await temporaryFolder();
  using _ = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const printed = await initWith(folder, ['node server.mjs']);
  expect(printed).toContain('exit 2');
  expect(printed).toContain('needs a folder of its own');
  expect(printed.match(/\?/g)).toHaveLength(1);
  expect(printed).toContain('(a command that starts its server needs a folder of its own for the suite:');
});

test('the question for the app names the folder and the port of its command', async () => {
  const app = path.join(await temporaryFolder(), 'shop');
  await mkdir(app);
  await writeFile(path.join(app, 'package.json'), '{"scripts":{"start":"node server.js"}}');
  const printed = await initWith(path.join(app, 'touchstone'), ['', 'node']);
  expect(printed).toContain(`a command that starts its server, such as npm start; it is run in\n    ${app}\n`);
  expect(printed).toMatch(/must listen on the port in the variable PORT, or where you write \{\{port\}\}/);
  expect(await readFile(path.join(app, 'touchstone/suite.yaml'), 'utf8')).toContain('id: shop\n');
});

test('a suite next to an app is found from the folder of the app', async () => {
  const app = await folderWithPlaywright();
  await touchstone('init', path.join(app, 'touchstone'), '--yes');
  expect((await touchstone('validate', app)).out).toContain('1 task, no problem');
  expect(await typedIn(app, 'run')).toMatchObject({ exit: 0 });
});

test('a running server is reset before each episode, and judged by its pages', async () => {
  const server = http.createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Here already</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens at no port');
  try {
    const above = await folderWithPlaywright();
    const folder = path.join(above, 'bench');
    const mark = path.join(above, 'was reset');
    await initWith(folder, [`http://127.0.0.1:${address.port}`, `touch "${mark}"`, 'node']);
    const bundle = path.join(above, 'bundle');
    const campaign = path.join(folder, 'touchstone.yaml');
    await writeFile(campaign, `${await readFile(campaign, 'utf8')}iterations: 2\n`);
    expect((await touchstone('run', '--campaign', campaign, '--out', bundle)).exit).toBe(0);
    expect(await readFile(mark, 'utf8')).toBe('');
    // An episode that ran at once would meet the changes of another.
    expect(await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).not.toContain('"concurrency"');
    const { exit, err } = await touchstone('run', '--campaign', campaign, '--workers', '2');
    expect([exit, err]).toEqual([2, expect.stringContaining('is one server for all episodes (shared: true')]);
  } finally {
    server.close();
  }
});

test('a folder of files is copied into the suite', async () => {
  const files = await temporaryFolder();
  await mkdir(path.join(files, 'node_modules'));
  await writeFile(path.join(files, 'index.html'), '<h1>Mine</h1>');
  const folder = path.join(files, 'bench');
  await initWith(folder, [files]);
  expect(await readdir(path.join(folder, 'site'))).toEqual(['index.html']);
  expect(await readFile(path.join(folder, 'site/index.html'), 'utf8')).toBe('<h1>Mine</h1>');
  expect((await touchstone('validate', folder)).exit).toBe(0);
});

test.each([
  ['without a package.json of the app: that of the folder', false, './bench/node_modules/touchstone'],
  ['with one: that of the app', true, './node_modules/touchstone'],
])('the workflow uses the action of the package that npm installs, %s', async (_what, hasPackage, action) => {
  const app = await temporaryFolder();
  await mkdir(path.join(app, '.git'));
  if (hasPackage) await writeFile(path.join(app, 'package.json'), '{}');
  await touchstone('init', path.join(app, 'bench'), '--yes');
  const text = await readFile(path.join(app, '.github/workflows/touchstone.yml'), 'utf8');
  expect(text).not.toContain('{{');
  expect(text).toContain(`uses: '${action}'\n`);
  expect(text).toContain("working-directory: 'bench'");
});

test('the workflow quotes the name of the folder, and runs for pull requests and the default branch', async () => {
  const app = await temporaryFolder();
  await mkdir(path.join(app, '.git'));
  await touchstone('init', path.join(app, "it's: mine"), '--yes');
  const { run } = Workflow.parse(
    parse(await readFile(path.join(app, '.github/workflows/touchstone.yml'), 'utf8')),
  ).jobs;
  const places = run.steps.map((step) => step['working-directory'] ?? step.with?.['working-directory']);
  expect(new Set(places)).toEqual(new Set([undefined, "it's: mine"]));
  expect(run.if).toBe(
    "github.event_name == 'pull_request' || github.ref_name == github.event.repository.default_branch",
  );
});
