import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE_APPS } from '../../src/task/suite-paths.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { KIND_NAMES } from './kind-names.ts';
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

  it('names where each site is served from', async () => {
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

describe('rules that hold between the files of a suite', () => {
  it('reports the problems of all files at once', async () => {
    await using files = await tempFiles({
      ...suite({ tasks: '["*.task.yaml", gone.yaml]' }),
      'a.task.yaml': sampleYaml({ maxSteps: '0' }),
      'b.task.yaml': sampleYaml({ success: '{ kind: urll }' }),
    });
    expect(await problemsOf(files.folder)).toEqual([
      'suite.yaml:3:24 tasks[1]: "gone.yaml" does not exist; check the path',
      'a.task.yaml:6:1 maxSteps: must be at least 1, not 0',
      `b.task.yaml:5:12 success.kind: "urll" is not a kind of assertion; use one of ${KIND_NAMES}`,
    ]);
  });

  it('reports the problems of tasks together with those of an invalid suite file', async () => {
    await using files = await tempFiles({
      'suite.yaml': 'id: sample\ntasks: [a.yaml]\nworld: { kind: nowhere }\n',
      'a.yaml': sampleYaml({ maxSteps: '0' }),
    });
    expect(await problemsOf(files.folder)).toEqual([
      expect.stringContaining('title'),
      expect.stringContaining('world'),
      'a.yaml:6:1 maxSteps: must be at least 1, not 0',
    ]);
  });

  it('refuses a role that no element can have, and names the one that was meant', async () => {
    const step = (role: string) => `[{ why: it is another, steps: [{ do: click, role: ${role}, name: Send }] }]`;
    await using files = await tempFiles({ ...suite(), 'a.yaml': sampleYaml({ nearMisses: step('linkk') }) });
    expect(await problemsOf(files.folder)).toEqual([
      expect.stringMatching(
        /nearMisses\[0\]\.steps\[0\]\.role: "linkk" is not an ARIA role, so nothing can ever be found by it; did you mean "link"\?$/,
      ),
    ]);
    await using sound = await tempFiles({ ...suite(), 'a.yaml': sampleYaml({ nearMisses: step('link') }) });
    expect(await problemsOf(sound.folder)).toEqual([]);
  });

  it('refuses an id that two tasks have', async () => {
    await using files = await tempFiles({
      ...suite({ tasks: '[a.yaml, b.yaml]' }),
      'a.yaml': sampleYaml(),
      'b.yaml': sampleYaml(),
    });
    expect(await problemsOf(files.folder)).toEqual([
      `b.yaml:1:1 id: "sample" is the id of a task in ${files.path('a.yaml')} too; give each task its own`,
    ]);
  });

  it('loads a file once that two entries name', async () => {
    await using files = await tempFiles({
      ...suite({ tasks: '[a.yaml, "?.yaml", ./a.yaml]' }),
      'a.yaml': sampleYaml(),
    });
    expect(await problemsOf(files.folder)).toEqual([]);
  });

  it('holds tasks to the kinds that the suite allows', async () => {
    await using files = await tempFiles({
      ...suite({ more: 'kinds: seed' }),
      'a.yaml': sampleYaml({ success: '{ kind: answer, number: 3 }' }),
    });
    expect(await problemsOf(files.folder)).toEqual([
      'a.yaml:5:12 success.kind: "answer" is an extension, which "kinds: seed" refuses; use one of url, dom_text, dom_count, network, screenshot_class, no_dialog, and, or, not',
    ]);
  });

  it('refuses a task that starts where the world serves nothing', async () => {
    await using files = await tempFiles({ ...suite(), 'a.yaml': sampleYaml({ startUrl: 'http://other.localhost/' }) });
    expect(await problemsOf(files.folder)).toEqual([
      "a.yaml:3:1 startUrl: is not on a site of the suite's world; start on http://basics.localhost",
    ]);
  });

  it('accepts a task that starts on a blank page', async () => {
    await using files = await tempFiles({ ...suite(), 'a.yaml': sampleYaml({ startUrl: 'about:blank' }) });
    expect(await problemsOf(files.folder)).toEqual([]);
  });

  it('refuses a screenshot class without exemplars and names the folder', async () => {
    await using files = await tempFiles({
      ...suite({ more: 'screenshot_classes: classes' }),
      'a.yaml': sampleYaml({ success: CLASS }),
      'classes/sent/readme.md': '',
    });
    expect(await problemsOf(files.folder)).toEqual([
      `a.yaml:5:36 success.class_id: "sent" has no exemplars: put at least one .png into ${files.path('classes/sent')}`,
    ]);
  });

  it('refuses a screenshot class when the suite names no folder', async () => {
    await using files = await tempFiles({ ...suite(), 'a.yaml': sampleYaml({ success: CLASS }) });
    expect(await problemsOf(files.folder)).toEqual([
      'a.yaml:5:36 success.class_id: "sent" has no exemplars: name their folder in the suite file, as screenshot_classes',
    ]);
  });

  it('warns of a public task whose goal hangs on the day, and loads it', async () => {
    await using files = await tempFiles({
      ...suite({ sites: `${SITE}, { origin: "https://example.com", static: site, stand_in: true }` }),
      'a.yaml': sampleYaml({ goal: 'Read the news.', startUrl: 'about:blank' }),
    });
    const loaded = await loadSuite(files.folder);
    expect([loaded.ok, loaded.warnings.map(formatted)]).toEqual([
      true,
      [
        'a.yaml:4:1 goal: has "news": a public task must not depend on login, payment, captcha, live prices, news or the date',
      ],
    ]);
  });
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

  it('a site or folder of exemplars', async () => {
    await using files = await tempFiles({
      ...suite({ sites: '{ origin: http://basics.localhost, static: ../.. }', more: 'screenshot_classes: ..' }),
      'a.yaml': sampleYaml(),
    });
    expect(await problemsOf(files.folder)).toEqual([
      `suite.yaml:4:66 world.sites[0].static: "../.." leaves the suite's folder and Touchstone's apps/; keep the file inside`,
      `suite.yaml:5:1 screenshot_classes: ".." leaves the suite's folder; keep the file inside`,
    ]);
  });

  it('a static site that is a file', async () => {
    await using files = await tempFiles({
      ...suite({ sites: '{ origin: http://basics.localhost, static: a.yaml }' }),
      'a.yaml': sampleYaml(),
    });
    expect(await problemsOf(files.folder)).toEqual([
      'suite.yaml:4:66 world.sites[0].static: is a file; name the folder that holds the files',
    ]);
  });
});

describe('a malformed suite file', () => {
  it('is missing', async () => {
    await using files = await tempFiles({});
    await mkdir(join(files.folder, 'empty'));
    expect(await problemsOf(files.path('empty'))).toEqual([
      'empty: has no suite file; write one of suite.yaml, suite.yml, suite.json',
    ]);
  });

  it('waives no mutant twice', async () => {
    const waiver = '{ task: a, mutant: "success:drop", reason: nobody }';
    await using files = await tempFiles({
      'suite.yaml': `id: a
title: A
tasks: [tasks/*]
waivers: [${waiver}, ${waiver}]
world: { kind: local, sites: [{ origin: "http://a.localhost", static: site }] }
`,
    });
    expect(await problemsOf(files.folder)).toContain(
      'suite.yaml:4:75 waivers[1].mutant: is waived twice; keep one of them',
    );
  });

  it('has every problem reported at once', async () => {
    await using files = await tempFiles({
      'suite.yaml': `id: a b
kind: seed
tasks: []
world:
  kind: local
  sites:
    - { origin: "http://basics.localhost/", static: site, app: site }
    - { origin: "https://example.com", static: site }
    - { origin: "https://example.com", stand_in: yes }
`,
    });
    expect(await problemsOf(files.folder)).toEqual([
      'suite.yaml:1:1 id: is not an id; write letters and digits joined by single "-" or "_"',
      'suite.yaml:1:1 title: is missing; give text',
      'suite.yaml:2:1 kind: unknown field; did you mean "kinds"?',
      'suite.yaml:3:1 tasks: is empty; list at least one task file',
      'suite.yaml:7:7 world.sites[0]: needs exactly one of app, static, program; it has app, static',
      'suite.yaml:7:9 world.sites[0].origin: is not an origin; write scheme and host only, like http://basics.localhost',
      'suite.yaml:8:7 world.sites[1].stand_in: is missing; an origin outside .localhost must admit "stand_in: true"',
      'suite.yaml:9:7 world.sites[2]: needs exactly one of app, static, program; it has none',
      'suite.yaml:9:40 world.sites[2].stand_in: must be true, not "yes"',
    ]);
  });

  it('lists one origin twice', async () => {
    await using files = await tempFiles({ ...suite({ sites: `${SITE}, ${SITE}` }), 'a.yaml': sampleYaml() });
    expect(await problemsOf(files.folder)).toEqual([
      'suite.yaml:4:84 world.sites[1].origin: is listed twice; keep one of them',
    ]);
  });

  it('names a world that there is not', async () => {
    await using files = await tempFiles({ 'suite.yaml': 'id: a\ntitle: A\ntasks: [a.yaml]\nworld: { kind: mars }\n' });
    expect(await problemsOf(files.folder)).toEqual([
      'suite.yaml:4:10 world.kind: must be one of "local", "archive", not "mars"',
    ]);
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

describe('what only the state of an app can say', () => {
  const STATE = '{ kind: not, child: { kind: app_state, pointer: /a, equals: 1 } }';
  const program = (state: string) =>
    suite({
      sites: `{ origin: http://basics.localhost, program: { folder: site, command: [node, '{{port}}'], ${state} } }`,
    });

  it('is a problem where no site tells its state, at each of its places', async () => {
    const task = sampleYaml({ success: STATE, guards: '{ kind: and, children: [{ kind: unchanged }] }' });
    for (const world of [suite(), program('')]) {
      await using files = await tempFiles({ ...world, 'a.yaml': task });
      expect(await problemsOf(files.folder)).toEqual([
        expect.stringMatching(/^a\.yaml:5:\d+ success\.child: app_state can never be judged: no site/),
        expect.stringMatching(/^a\.yaml:6:\d+ guards\.children\[0\]: unchanged can never be judged: no site/),
      ]);
    }
  });

  it('is none where one does', async () => {
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
