import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { PACKAGE_APPS } from '../../src/task/suite-paths.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { textsOf } from '../cli/texts-of.ts';
import { formatted } from './problems-in.ts';
import { sampleYaml } from './sample-task.ts';
import { tempFiles } from './temp-files.ts';

const SITE = '{ origin: http://basics.localhost, static: site }';
const CLASS = '{ kind: screenshot_class, class_id: sent, distance_max: 8 }';

describe('a sound suite', () => {
  it('is loaded with its tasks in the order of the list, then of names', async () => {
    await using files = await tempFiles({
      ...suite({ tasks: '[last.yaml, "tasks/**/*.yaml"]' }),
      'tasks/b.yaml': sampleYaml({ id: 'b' }),
      'tasks/deep/er/a.yaml': sampleYaml({ id: 'a' }),
      'tasks/notes.md': 'not a task',
      'last.yaml': sampleYaml({ id: 'last' }),
    });
    const loaded = await loadSuite(files.folder);
    expect(loaded.ok && loaded.suite.tasks.map(({ task }) => task.id)).toEqual(['last', 'b', 'a']);
  });

  it('names the source of each site', async () => {
    await using files = await tempFiles({
      ...suite({ sites: `${SITE}, { origin: "https://example.com", static: ./site, stand_in: true }` }),
      'a.yaml': sampleYaml(),
    });
    const loaded = await loadSuite(files.folder);
    const path = files.path('site');
    expect(loaded.ok && loaded.suite.world).toEqual({
      kind: 'local',
      sites: [
        { origin: 'http://basics.localhost', serves: 'static', path, files: [], standIn: false },
        { origin: 'https://example.com', serves: 'static', path, files: [], standIn: true },
      ],
    });
  });

  it("may use Touchstone's own apps, and shares the server of a program that declares its port", async () => {
    await using files = await tempFiles({ 'a.yaml': sampleYaml(), 'app/app.js': '' });
    const program = '{ origin: http://b.localhost, program: { folder: app, command: [node, app.js], port: 3000 } }';
    const world = `{ kind: local, sites: [{ origin: http://basics.localhost, app: ${relative(files.folder, PACKAGE_APPS)}, shared: true }, ${program}] }`;
    await writeFile(files.path('suite.yaml'), `id: sample\ntitle: A suite\ntasks: [a.yaml]\nworld: ${world}\n`);
    const loaded = await loadSuite(files.folder);
    const sites = [{ serves: 'app', path: PACKAGE_APPS }, { serves: 'program' }];
    const shared = sites.map((site) => ({ ...site, shared: true }));
    expect(loaded.ok && loaded.suite.world).toMatchObject({ sites: shared });
  });

  it('lists the exemplars of the classes that its tasks refer to', async () => {
    await using files = await tempFiles({
      ...suite({ more: 'screenshot_classes: classes' }),
      'a.yaml': sampleYaml({ guards: `{ kind: not, child: ${CLASS} }` }),
      'classes/sent/2.png': '',
      'classes/sent/1.png': '',
      'classes/sent/readme.md': '',
      'classes/unused/1.png': '',
    });
    const loaded = await loadSuite(files.folder);
    const exemplars = { sent: [files.path('classes/sent/1.png'), files.path('classes/sent/2.png')] };
    expect(loaded.ok && loaded.suite.exemplars).toEqual(exemplars);
  });

  it('may be JSON', async () => {
    const world = { kind: 'local', sites: [{ origin: 'http://basics.localhost', static: 'site' }] };
    const json = { id: 'sample', title: 'A suite', kinds: 'seed', tasks: ['a.yaml'], world };
    await using files = await tempFiles({
      'suite.json': JSON.stringify(json),
      'site/index.html': '',
      'a.yaml': sampleYaml(),
    });
    const loaded = await loadSuite(files.folder);
    expect(loaded.ok && loaded.suite).toMatchObject({ id: 'sample', kinds: 'seed', description: null });
  });
});

/** What is wrong with a suite of these files, wherever it lies. */
async function problemsOfFiles(files: Record<string, string>): Promise<string[]> {
  await using written = await tempFiles(files);
  const loaded = await loadSuite(written.folder);
  const found = (loaded.ok ? loaded.warnings : loaded.problems).map(formatted);
  const anywhere = found.map((line) =>
    line.replaceAll(written.folder, '‹suite›').replaceAll(basename(written.folder), '‹suite›'),
  );
  return [loaded.ok ? 'is loaded' : 'is refused', ...anywhere];
}

test('faults in the files of a suite, and between them', async () => {
  const ofTask = (fields: Record<string, string>, more = '') => ({ ...suite({ more }), 'a.yaml': sampleYaml(fields) });
  const step = (role: string) => `[{ why: it is another, steps: [{ do: click, role: ${role}, name: Send }] }]`;
  const standIn = `${SITE}, { origin: "https://example.com", static: site, stand_in: true }`;
  const waiver = '{ task: a, mutant: "success:drop", reason: nobody }';
  const world = 'world: { kind: local, sites: [{ origin: "http://a.localhost", static: site }] }';
  const several = `    - { origin: "http://basics.localhost/", static: site, app: site }
    - { origin: "https://example.com", static: site }
    - { origin: "https://example.com", stand_in: yes }
`;
  const cases: Record<string, Record<string, string>> = {
    'problems of several files': {
      ...suite({ tasks: '["*.task.yaml", gone.yaml]' }),
      'a.task.yaml': sampleYaml({ maxSteps: '0' }),
      'b.task.yaml': sampleYaml({ success: '{ kind: urll }' }),
    },
    'problems of the suite file and of a task': {
      'suite.yaml': 'id: sample\ntasks: [a.yaml]\nworld: { kind: nowhere }\n',
      'a.yaml': sampleYaml({ maxSteps: '0' }),
    },
    'many problems of the suite file': {
      'suite.yaml': `id: a b\nkind: seed\ntasks: []\nworld:\n  kind: local\n  sites:\n${several}`,
    },
    'a role that no element can have': ofTask({ nearMisses: step('linkk') }),
    'a role that elements have': ofTask({ nearMisses: step('link') }),
    'an id that two tasks have': {
      ...suite({ tasks: '[a.yaml, b.yaml]' }),
      'a.yaml': sampleYaml(),
      'b.yaml': sampleYaml(),
    },
    'a file that three entries name': { ...suite({ tasks: '[a.yaml, "?.yaml", ./a.yaml]' }), 'a.yaml': sampleYaml() },
    'an extension where the seed alone is allowed': ofTask({ success: '{ kind: answer, number: 3 }' }, 'kinds: seed'),
    'a start where the world serves nothing': ofTask({ startUrl: 'http://other.localhost/' }),
    'a start on a blank page': ofTask({ startUrl: 'about:blank' }),
    'a screenshot class without exemplars': {
      ...ofTask({ success: CLASS }, 'screenshot_classes: classes'),
      'classes/sent/readme.md': '',
    },
    'a screenshot class without a folder': ofTask({ success: CLASS }),
    'a public task whose goal hangs on the day': {
      ...suite({ sites: standIn }),
      'a.yaml': sampleYaml({ goal: 'Read the news.', startUrl: 'about:blank' }),
    },
    'a site and exemplars outside': {
      ...suite({ sites: '{ origin: http://basics.localhost, static: ../.. }', more: 'screenshot_classes: ..' }),
      'a.yaml': sampleYaml(),
    },
    'a static site that is a file': {
      ...suite({ sites: '{ origin: http://basics.localhost, static: a.yaml }' }),
      'a.yaml': sampleYaml(),
    },
    'no suite file': { 'readme.md': '' },
    'a mutant that is waived twice': {
      'suite.yaml': `id: a\ntitle: A\ntasks: [tasks/*]\nwaivers: [${waiver}, ${waiver}]\n${world}\n`,
    },
    'an origin that is listed twice': { ...suite({ sites: `${SITE}, ${SITE}` }), 'a.yaml': sampleYaml() },
    'a world that there is not': { 'suite.yaml': 'id: a\ntitle: A\ntasks: [a.yaml]\nworld: { kind: mars }\n' },
  };
  const texts: Record<string, string[]> = {};
  for (const [name, files] of Object.entries(cases)) texts[name] = await problemsOfFiles(files);
  await expect(textsOf(texts)).toMatchFileSnapshot('golden/suite-problems.txt');
});

describe('no path leaves the folder', () => {
  it.each([
    ['by ..', '../a.yaml', `"../a.yaml" leaves the suite's folder; keep the file inside`],
    ['by .. within', 'tasks/../../a.yaml', `"tasks/../../a.yaml" leaves the suite's folder; keep the file inside`],
    ['absolute', '/etc/passwd', '"/etc/passwd" is not relative; write it relative to the suite file, with "/"'],
    ['as a Windows path', 'C:/a.yaml', '"C:/a.yaml" is not relative; write it relative to the suite file, with "/"'],
    ['by a glob', '../*.yaml', `"../*.yaml" leaves the suite's folder; keep the file inside`],
  ])('a task %s', async (_, path, message) => {
    await using files = await tempFiles({ ...suite({ tasks: `["${path}"]` }), 'a.yaml': sampleYaml() });
    expect(await problemsOf(files.folder)).toEqual([`suite.yaml:3:9 tasks[0]: ${message}`]);
  });

  it.each(['linked.yaml', 'linked/a.yaml'])('a task through a link: %s', async (path) => {
    await using outside = await tempFiles({ 'a.yaml': sampleYaml() });
    await using files = await tempFiles(suite({ tasks: `["${path}"]`, file: 'suite.yml' }));
    await symlink(outside.path('a.yaml'), files.path('linked.yaml'));
    await symlink(outside.folder, files.path('linked'));
    expect(await problemsOf(files.folder)).toEqual([
      `suite.yml:3:9 tasks[0]: "${path}" leaves the suite's folder through a link; put a copy inside`,
    ]);
  });

  it('a pattern passes by links, hidden files and node_modules', async () => {
    await using outside = await tempFiles({ 'a.task.yaml': 'not a task' });
    await using files = await tempFiles({
      ...suite({ tasks: '["./**/[a-z]*.task.yaml"]' }),
      'own.task.yaml': sampleYaml(),
      '.hidden/a.task.yaml': 'not a task',
      'deep/node_modules/a.task.yaml': 'not a task',
    });
    await symlink(outside.path('a.task.yaml'), files.path('linked.task.yaml'));
    await symlink(outside.folder, files.path('linked'));
    const loaded = await loadSuite(files.folder);
    expect(loaded.ok && loaded.suite.tasks.map(({ file }) => file)).toEqual([files.path('own.task.yaml')]);
  });

  it('a link that stays inside is followed', async () => {
    await using files = await tempFiles({ ...suite({ tasks: '[linked.yaml]' }), 'deep/a.yaml': sampleYaml() });
    await symlink(files.path('deep/a.yaml'), files.path('linked.yaml'));
    expect(await problemsOf(files.folder)).toEqual([]);
  });

  it('a suite that is itself reached through a link is at home there', async () => {
    await using files = await tempFiles({ ...suite(), 'a.yaml': sampleYaml() });
    await using links = await tempFiles({});
    await symlink(files.folder, links.path('suite'));
    expect(await problemsOf(links.path('suite'))).toEqual([]);
  });
});

function suite({ tasks = '[a.yaml]', sites = SITE, more = '', file = 'suite.yaml' } = {}): Record<string, string> {
  const text = `id: sample\ntitle: A suite\ntasks: ${tasks}\nworld: { kind: local, sites: [${sites}] }\n${more}\n`;
  return { [file]: text, 'site/index.html': '<h1>Hello</h1>' };
}

async function problemsOf(folder: string): Promise<string[]> {
  const loaded = await loadSuite(folder);
  return loaded.ok ? [] : loaded.problems.map(formatted);
}

describe('a clause that only the state of an app can decide', () => {
  const STATE = '{ kind: not, child: { kind: app_state, pointer: /a, equals: 1 } }';
  const program = (state: string) =>
    suite({
      sites: `{ origin: http://basics.localhost, program: { folder: site, command: [node, '{{port}}'], ${state} } }`,
    });

  it('is a problem at each place if no site reports its state', async () => {
    const task = sampleYaml({ success: STATE, guards: '{ kind: and, children: [{ kind: unchanged }] }' });
    for (const world of [suite(), program('')]) {
      await using files = await tempFiles({ ...world, 'a.yaml': task });
      expect(await problemsOf(files.folder)).toEqual([
        expect.stringMatching(/^a\.yaml:5:\d+ success\.child: app_state can never be judged: no site/),
        expect.stringMatching(/^a\.yaml:6:\d+ guards\.children\[0\]: unchanged can never be judged: no site/),
      ]);
    }
  });

  it('is not a problem if a site reports it', async () => {
    await using files = await tempFiles({ ...program('state: /__state'), 'a.yaml': sampleYaml({ success: STATE }) });
    expect(await problemsOf(files.folder)).toEqual([]);
  });
});

describe('the folder of a program', () => {
  const inFolder = (folder: string) =>
    suite({
      sites: `{ origin: http://basics.localhost, program: { folder: ${folder}, command: [node, '{{port}}'] } }`,
    });

  it('may be the one that the suite lies in', async () => {
    await using files = await tempFiles({ 'site/x': '' });
    await mkdir(files.path('bench/site'), { recursive: true });
    for (const [name, text] of Object.entries({ ...inFolder('..'), 'a.yaml': sampleYaml() }))
      await writeFile(files.path(`bench/${name}`), text);
    expect(await problemsOf(files.path('bench'))).toEqual([]);
  });

  it('may be no further up', async () => {
    await using files = await tempFiles({ ...inFolder('../..'), 'a.yaml': sampleYaml() });
    expect(await problemsOf(files.folder)).toEqual([
      expect.stringContaining(`"../.." leaves the folder above the suite's, and Touchstone's apps/`),
    ]);
  });
});
