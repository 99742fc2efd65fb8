import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { qualificationFile, type Qualification, readQualification } from '../../src/plan/qualification.ts';
import { staleProofs } from '../../src/plan/stale-proofs.ts';
import { type LoadedSuite, loadSuite } from '../../src/task/load-suite.ts';
import type { Task } from '../../src/task/schema.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const loaded = await loadSuite(path.resolve(import.meta.dirname, '../../suites/basics'));
if (!loaded.ok) throw new Error('suite basics does not load');
const basics = loaded.suite;
const committed = await readQualification(basics);
if (committed === null) throw new Error('basics has no proof');
const NOW = { basics: committed.app_hash };

function withTask(id: string, change: (task: Task) => Task): LoadedSuite {
  return {
    ...basics,
    tasks: basics.tasks.map((each) => (each.task.id === id ? { ...each, task: change(each.task) } : each)),
  };
}

/** The suite in a folder of its own, with a proof that was changed. */
async function withProof(proof: Qualification): Promise<LoadedSuite> {
  const suite = { ...basics, file: path.join(await temporaryFolder(), 'suite.yaml') };
  await writeFile(qualificationFile(suite), JSON.stringify(proof));
  return suite;
}

const staleIn = async (suite: LoadedSuite, appHashes = NOW) =>
  Object.fromEntries(await staleProofs([suite], appHashes));

describe('of a stale proof is told', () => {
  it('nothing where it is current, and nothing where there never was one', async () => {
    expect(await staleIn(basics)).toEqual({});
    const { 'late-order': _gone, ...others } = committed.tasks;
    expect(await staleIn(await withProof({ ...committed, tasks: others }))).toEqual({});
  });

  it('of all tasks that the app has changed, and in which folders that may be', async () => {
    const stale = await staleIn(basics, { basics: '0'.repeat(64) });
    expect(Object.keys(stale)).toEqual(basics.tasks.map(({ task }) => `basics/${task.id}`));
    expect(stale['basics/late-order']).toEqual([expect.stringMatching(/^the app, by a file in \S*apps\/basics\b/)]);
  });

  it('of one task that it has another contract, or is another though judged alike', async () => {
    const loosened = withTask('late-order', (task) => ({ ...task, success: { kind: 'no_dialog' } }));
    expect(await staleIn(loosened)).toEqual({ 'basics/late-order': ['the contract'] });
    const renamed = withTask('late-order', (task) => ({ ...task, goal: 'Order pens.' }));
    expect(await staleIn(renamed)).toEqual({ 'basics/late-order': ['the task, though not its contract'] });
  });

  it('which kind of assertion has another version', async () => {
    const { 'late-order': found, ...others } = committed.tasks;
    const kind = Object.keys(found?.semantics ?? {}).find((each) => each !== 'contract');
    if (found === undefined || kind === undefined) throw new Error('basics has other tasks now');
    const raised = { ...found, semantics: { ...found.semantics, [kind]: 99 } };
    const suite = await withProof({ ...committed, tasks: { ...others, 'late-order': raised } });
    expect(await staleIn(suite)).toEqual({ 'basics/late-order': [`the version of ${kind}`] });
  });

  it('that its waivers have changed', async () => {
    const waiver = { task: 'late-order', mutant: 'success:drop', reason: 'nobody knows' };
    const stale = await staleIn({ ...basics, waivers: [...basics.waivers, waiver] });
    expect(stale).toEqual({ 'basics/late-order': ['its waivers'] });
  });
});
