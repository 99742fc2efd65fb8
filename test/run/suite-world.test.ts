import { rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { packBundle } from '../../src/bundle/pack.ts';
import { deriveMode } from '../../src/bundle/row-words.ts';
import { loadSuiteWorld, raiseWorld, worldKindOf, readArchive } from '../../src/run/suite-world.ts';
import { tryWorlds } from '../../src/run/stage.ts';
import { hashTree } from '../../src/plan/pins.ts';
import { loadSuite, type LoadedSuite } from '../../src/task/load-suite.ts';
import { createTlsIdentity } from '../../src/world/tls-identity.ts';
import { WorldThread } from '../../src/world/thread/world-thread.ts';
import type { Provenance } from '../../src/world/archive/har.ts';
import { packFacsimile } from '../../src/world/archive/facsimile.ts';
import { BodyStore, writeArchive } from '../../src/world/archive/write-archive.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { RECORDED, sampleHar } from '../world/archive/sample-archive.ts';
import { ask } from '../world/through-proxy.ts';
import { SMALL_PLAN } from '../plan/sample-plan.ts';

const SUITE = (site: string) =>
  `{ id: basics, title: Mine, tasks: [task.yaml], world: { kind: local, sites: [{ origin: http://mine.localhost, ${site} }] } }`;
const TASK = "{ id: a, title: A, startUrl: 'http://mine.localhost/', goal: A, success: { kind: no_dialog } }";
const PLAIN = 'export default () => ({ fetch: () => new Response(), state: () => null });';

async function suiteWith(app: string): Promise<LoadedSuite> {
  return await suiteIn(
    await folderOf({ 'app/app.ts': app, 'suite.yaml': SUITE('app: app/app.ts'), 'task.yaml': TASK }),
  );
}

const thread = new WorldThread();
afterEach(() => thread.close());

async function setting() {
  return { identity: await createTlsIdentity(), live: false, thread };
}

async function tried(app: string): Promise<{ file: string; outcome: ReturnType<typeof tryWorlds> }> {
  const suite = await suiteWith(app);
  const file = path.join(path.dirname(suite.file), 'app/app.ts');
  const worlds = new Map([['basics', await loadSuiteWorld(suite)]]);
  return { file, outcome: tryWorlds(SMALL_PLAN.tasks, worlds, await setting()) };
}

test('an app that cannot be made is an error that names its file', async () => {
  const { file, outcome } = await tried(`export default () => { throw new Error('no seed'); };`);
  await expect(outcome).rejects.toMatchObject({
    code: 'app_cannot_be_made',
    params: { origin: 'http://mine.localhost', why: `${file}: no seed` },
  });
});

test('waiting for apps names the origin of one, and counts the others', async () => {
  const suite = await suiteWith(PLAIN);
  const world = await loadSuiteWorld(suite);
  if (world.kind !== 'local') throw new Error('its world is local');
  const [site] = world.sites;
  if (site === undefined) throw new Error('it has a site');
  const said: string[] = [];
  for (const origins of [
    ['http://mine.localhost'],
    ['http://mine.localhost', 'http://b.localhost', 'http://c.localhost'],
  ]) {
    const sites = origins.map((origin) => ({ ...site, origin }));
    const worlds = new Map([['basics', { ...world, sites }]]);
    await tryWorlds(SMALL_PLAN.tasks, worlds, await setting(), (what) => said.push(what));
  }
  expect(said).toEqual([
    'waiting for the app of http://mine.localhost',
    'waiting for the apps of http://mine.localhost and 2 more',
  ]);
});

test('an app that can be made is closed again', async () => {
  const { outcome } = await tried(PLAIN);
  await expect(outcome).resolves.toBeUndefined();
});

/** The hash of the world of a suite next to a program, with these files in the program's folder. */
async function hashAfter(written: Record<string, string>, { leaveOut = '', others = '' } = {}): Promise<string> {
  const program = `program: { folder: .., command: [node, app.js, '{{port}}']${leaveOut} }`;
  const suite = SUITE(program).replace('}] }', `}${others}] }`);
  const own = { 'app.js': 'serve()', 'notes/a.txt': 'a', 'suite/suite.yaml': suite, 'suite/task.yaml': TASK };
  return await appHashIn(path.join(await folderOf({ ...own, ...written }, 'app'), 'suite'));
}

async function appHashIn(folder: string): Promise<string> {
  return (await loadSuiteWorld(await suiteIn(folder))).appHash;
}

const NOTES = { leaveOut: ', leave_out: [README.md, notes]' };

test('files that a program leaves out do not change its hash, and all others do', async () => {
  const before = await hashAfter({}, NOTES);
  expect(await hashAfter({ 'README.md': '# Mine', 'notes/b.txt': 'b' }, NOTES)).toBe(before);
  expect(await hashAfter({ 'docs/README.md': '# Mine' }, NOTES)).not.toBe(before);
  expect(await hashAfter({ 'app.js': 'serve(2)' }, NOTES)).not.toBe(before);
  expect(await hashAfter({ 'README.md': '# Mine' })).not.toBe(await hashAfter({}));
});

test('a file that one program leaves out is not left out for another that has it in its copy', async () => {
  const others = `, { origin: http://other.localhost, program: { folder: .., command: [node, app.js, '{{port}}'] } }`;
  const before = await hashAfter({}, { ...NOTES, others });
  expect(await hashAfter({ 'notes/a.txt': 'changed' }, { ...NOTES, others })).not.toBe(before);
});

async function hashWith(runtime: string, files: string): Promise<string> {
  const suite = SUITE(`app: app/app.ts, ${files}`);
  return await appHashIn(
    await folderOf({ 'app/app.ts': PLAIN, 'runtime/act.js': runtime, 'suite.yaml': suite, 'task.yaml': TASK }),
  );
}

test('the hash of a world covers the files that an app serves from elsewhere, if the suite names them', async () => {
  expect(await hashWith('one', 'files: [runtime]')).not.toBe(await hashWith('two', 'files: [runtime]'));
  expect(await hashWith('one', '')).toBe(await hashWith('two', ''));
  await expect(hashWith('one', 'files: [../elsewhere]')).rejects.toThrow('files');
});

test('an app gets the files of a folder outside the suite, unless that has changed since the suite was written', async () => {
  const above = await folderOf({ 'checkout/page.html': 'hello', 'elsewhere.txt': 'secret' });
  const sha256 = await hashTree({ places: [path.join(above, 'checkout')] });
  const app = 'export default (_given, { data }) => ({ fetch: data, state: () => null });';
  const files = { 'app/app.ts': app, 'task.yaml': TASK };
  const suite = SUITE(`app: app/app.ts, data: { folder: ../checkout, sha256: ${sha256} }`);
  const folder = await folderOf(
    { ...files, 'suite.yaml': suite },
    path.relative(await temporaryFolder(), path.join(above, 'suite')),
  );
  const loaded = await suiteIn(folder);
  const [first] = loaded.tasks;
  if (first === undefined) throw new Error('it has a task');
  const world = await raiseWorld(await loadSuiteWorld(loaded), first.task, await setting());
  expect(await ask(world, 'http://mine.localhost/page.html')).toMatchObject({ status: 200, body: 'hello' });
  expect(await ask(world, 'http://mine.localhost/..%2Felsewhere.txt')).toMatchObject({ status: 404 });
  await world.close();
  await writeFile(path.join(above, 'checkout/page.html'), 'hallo');
  await expect(loadSuiteWorld(loaded)).rejects.toMatchObject({ code: 'data_altered', params: { expected: sha256 } });
});

test.each(['file', 'folder'])('a %s of an app that vanishes while it is hashed is named', async (kind) => {
  const folder = await folderOf({ 'cache/session.tmp': 'x' });
  const vanished = path.join(folder, kind === 'file' ? 'cache/session.tmp' : 'cache');
  const leftOut = (found: string): boolean => {
    if (found === vanished) rmSync(found, { recursive: true });
    return false;
  };
  const error = { code: 'file_vanished', params: { file: vanished } };
  await expect(hashTree({ places: [folder], leftOut })).rejects.toMatchObject(error);
});

test('a folder outside the suite needs its hash, and an app', async () => {
  const problemsOf = async (site: string) => {
    const loaded = await loadSuite(
      await folderOf({ 'app/app.ts': PLAIN, 'suite.yaml': SUITE(site), 'task.yaml': TASK }),
    );
    return loaded.ok ? [] : loaded.problems.map(({ what }) => what.code);
  };
  const sha256 = 'a'.repeat(64);
  expect(await problemsOf(`app: app/app.ts, data: { folder: app, sha256: ${sha256} }`)).toEqual([]);
  expect(await problemsOf('app: app/app.ts, data: { folder: app, sha256: abc }')).toEqual(['not_a_sha256']);
  expect(await problemsOf(`app: app/app.ts, data: { folder: gone, sha256: ${sha256} }`)).toEqual(['file_not_found']);
  expect(await problemsOf(`static: app, data: { folder: app, sha256: ${sha256} }`)).toEqual(['goes_only_with']);
});

test('proofs, README, prose and other tasks do not change the world of a suite next to its app; other files do', async () => {
  const folder = await temporaryFolder();
  const write = async (name: string, text: string) => await writeFile(path.join(folder, name), text);
  const suite = (title: string, tasks: string, more = '') =>
    SUITE(`app: app.ts${more}`).replace('Mine', title).replace('task.yaml', tasks);
  await write('app.ts', PLAIN);
  await write('suite.yaml', suite('A', 'task.yaml'));
  await write('task.yaml', TASK);
  const hash = () => appHashIn(folder);
  const before = await hash();
  await write('qualification.json', '{}');
  await write('README.md', 'Tasks on my app.');
  await write('other.yaml', TASK.replace('id: a', 'id: b'));
  await write('suite.yaml', suite('All that is mine', 'task.yaml, other.yaml'));
  expect(await hash()).toBe(before);
  await write('suite.yaml', suite('A', 'task.yaml, other.yaml', ', files: [.]'));
  const served = await hash();
  await write('README.md', 'Tasks on my app, which shows this.');
  expect(await hash()).not.toBe(served);
  await write('suite.yaml', suite('A', 'task.yaml, other.yaml'));
  expect(await hash()).toBe(before);
  await write('page.html', 'hello');
  expect(await hash()).not.toBe(before);
});

test.each([
  ['an app', true, 'app: app.ts'],
  ['a program', true, "program: { folder: .., command: [node, app.js, '{{port}}'] }"],
  ['a folder that is served', false, 'static: .'],
])('bundles in the folder of %s are left out of its hash, packed ones too: %s', async (_what, isLeftOut, site) => {
  const above = await folderOf({ 'suite/app.ts': PLAIN, 'suite/suite.yaml': SUITE(site), 'suite/task.yaml': TASK });
  const folder = path.join(above, 'suite');
  const hash = () => appHashIn(folder);
  const before = await hash();
  const bundle = path.join(above, site.startsWith('program') ? '' : 'suite', 'bundles/first');
  await mkdir(bundle, { recursive: true });
  await writeFile(path.join(bundle, 'campaign.json'), '{}');
  expect((await hash()) === before).toBe(isLeftOut);
  await packBundle(bundleLayout(bundle), `${bundle}.zip`);
  await rm(bundle, { recursive: true });
  expect((await hash()) === before).toBe(isLeftOut);
  await writeFile(`${bundle}.zip`, 'PK\u0003\u0004');
  expect(await hash()).not.toBe(before);
});

/** The mode of a model's episode on an archive with this index, which claims to be recorded. */
async function modeOn(indexOf: (bodies: BodyStore) => ReturnType<typeof sampleHar>, provenance: Provenance) {
  const file = path.join(await temporaryFolder(), 'web.zip');
  await using bodies = await BodyStore.create();
  const { log } = await indexOf(bodies);
  const { _touchstone: own, ...rest } = log;
  await writeArchive(file, { log: { ...rest, _touchstone: { ...own, provenance } } }, bodies);
  const suiteWorld = await readArchive({ file, ignoreQuery: [] });
  const world_kind = worldKindOf(suiteWorld, 'https://a.test/', false);
  return deriveMode({ dry_run: false, status: 'passed', world_kind, decider: 'model', endpoint_kind: 'provider' });
}

const EXCHANGE = { url: 'https://a.test/', body: '<h1>A</h1>' };

test('an archive of pages that somebody wrote is a facsimile, whatever it claims', async () => {
  const pages = await folderOf({ 'a.test/index.html': EXCHANGE.body });
  expect(await modeOn((bodies) => packFacsimile(pages, bodies, '0.0.0'), RECORDED)).toBe('facsimile');
});

test('an archive of servers that somebody chose is a facsimile', async () => {
  const provenance = { ...RECORDED, connect_to: ['a.test:443:127.0.0.1:8443'] };
  expect(await modeOn((bodies) => sampleHar([EXCHANGE], bodies), provenance)).toBe('facsimile');
});

test('a recorded archive is no facsimile', async () => {
  expect(await modeOn((bodies) => sampleHar([EXCHANGE], bodies), RECORDED)).toBe('recorded-real');
});
