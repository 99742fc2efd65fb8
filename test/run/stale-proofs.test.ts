import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { qualificationFile, type Qualification, readQualification } from '../../src/plan/qualification.ts';
import { staleProofs } from '../../src/run/stale-proofs.ts';
import type { LoadedSuite } from '../../src/task/load-suite.ts';
import type { Task } from '../../src/task/schema.ts';
import type { LoadedSite } from '../../src/task/suite-paths.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtIn } from '../suite-files.ts';

const basics = await builtIn('basics');
const committed = await readQualification(basics);
if (committed === null) throw new Error('basics has no proof');
const proof = committed;
const NOW = { basics: committed.app_hash };

function withTask(id: string, change: (task: Task) => Task): LoadedSuite {
  return {
    ...basics,
    tasks: basics.tasks.map((each) => (each.task.id === id ? { ...each, task: change(each.task) } : each)),
  };
}

async function withProof(written: Qualification): Promise<LoadedSuite> {
  const suite = { ...basics, file: path.join(await temporaryFolder(), 'suite.yaml') };
  await writeFile(qualificationFile(suite), JSON.stringify(written));
  return suite;
}

/** Seconds after which a file was written, counted from the proof. */
async function writeAt(file: string, seconds: number): Promise<void> {
  await writeFile(file, 'x');
  await utimes(file, PROVED + seconds, PROVED + seconds);
}

const PROVED = 1_700_000_000;

async function served() {
  const suite = await withProof(proof);
  const folder = path.dirname(suite.file);
  await mkdir(path.join(folder, 'site'));
  await writeAt(path.join(folder, 'site/index.html'), -9_000);
  await utimes(qualificationFile(suite), PROVED, PROVED);
  const site: LoadedSite = {
    origin: 'http://shop.localhost',
    serves: 'static',
    path: path.join(folder, 'site'),
    files: [],
    standIn: false,
  };
  const now: LoadedSuite = { ...suite, world: { kind: 'local', sites: [site] } };
  const reasonNow = async () => (await staleIn(now, { basics: '0'.repeat(64) }))['basics/late-order']?.join('; ') ?? '';
  return { folder, reasonNow };
}

const staleIn = async (suite: LoadedSuite, appHashes = NOW) =>
  Object.fromEntries(await staleProofs([suite], appHashes));

describe('the report of a stale proof', () => {
  it('is empty if it is current, or never existed', async () => {
    expect(await staleIn(basics)).toEqual({});
    const { 'late-order': _gone, ...others } = committed.tasks;
    expect(await staleIn(await withProof({ ...committed, tasks: others }))).toEqual({});
  });

  it('names all tasks that the app has changed, and in which folders that may be, as seen from here', async () => {
    const stale = await staleIn(basics, { basics: '0'.repeat(64) });
    expect(Object.keys(stale)).toEqual(basics.tasks.map(({ task }) => `basics/${task.id}`));
    expect(stale['basics/late-order']).toEqual([
      expect.stringMatching(/^the app \(a file in apps\/basics\b.*, or its entry in suites\/basics\/suite\.yaml/),
    ]);
  });

  it('names the files of the app that were written after the proof, the last first and three at most', async () => {
    const { folder, reasonNow } = await served();
    expect(await reasonNow()).toMatch(/^the app \(a file in \S+\/site, or its entry in \S+suite\.yaml\)$/);
    for (const [at, name] of ['a.html', 'b.html', 'c.html', 'd.html'].entries()) {
      await writeAt(path.join(folder, 'site', name), 60 + 60 * at);
      // Suspects nothing that is no part of the app.
      await writeAt(path.join(folder, 'README.md'), 3_000);
    }
    const named = ['d.html', 'c.html', 'b.html'].map((name) => path.relative('.', path.join(folder, 'site', name)));
    expect(await reasonNow()).toContain(`; changed or added after the proof was made: ${named.join(', ')} and 1 more)`);
  });

  it('names no file if all were written at once with the proof, as by a fresh clone', async () => {
    const { folder, reasonNow } = await served();
    for (let at = 0; at < 20; at += 1) await writeAt(path.join(folder, 'site', `${at}.html`), at);
    expect(await reasonNow()).not.toContain('after the proof');
    await writeAt(path.join(folder, 'site/late.html'), 60);
    expect(await reasonNow()).toMatch(/after the proof was made: \S+\/late\.html\)$/);
  });

  it('names one task with another contract, or another task with the same contract', async () => {
    const loosened = withTask('late-order', (task) => ({ ...task, success: { kind: 'no_dialog' } }));
    expect(await staleIn(loosened)).toEqual({ 'basics/late-order': ['the contract'] });
    const renamed = withTask('late-order', (task) => ({ ...task, goal: 'Order pens.' }));
    expect(await staleIn(renamed)).toEqual({ 'basics/late-order': ['the task, though not its contract'] });
  });

  it('names the kind of assertion that has another version', async () => {
    const { 'late-order': found, ...others } = committed.tasks;
    const kind = Object.keys(found?.semantics ?? {}).find((each) => each !== 'contract');
    if (found === undefined || kind === undefined) throw new Error('basics has other tasks now');
    const raised = { ...found, semantics: { ...found.semantics, [kind]: 99 } };
    const suite = await withProof({ ...committed, tasks: { ...others, 'late-order': raised } });
    expect(await staleIn(suite)).toEqual({ 'basics/late-order': [`the version of ${kind}`] });
  });

  it('lists changed waivers', async () => {
    const waiver = { task: 'late-order', mutant: 'success:drop', reason: 'nobody knows' };
    const stale = await staleIn({ ...basics, waivers: [...basics.waivers, waiver] });
    expect(stale).toEqual({ 'basics/late-order': ['its waivers'] });
  });
});
