import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  changedSince,
  qualificationFile,
  qualificationPins,
  readQualification,
  waiversOf,
} from '../../src/plan/qualification.ts';
import { qualificationHashOf } from '../../src/plan/pins.ts';
import { Faults } from '../../src/fault/schema.ts';
import { SEMANTICS, semanticsOf } from '../../src/contract/semantics.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { proofOfTrials } from '../../src/plan/task-qualification.ts';
import { proofsToKeep } from '../../src/qualify/earlier-proofs.ts';
import type { LoadedSuite } from '../../src/task/load-suite.ts';
import { type Task, taskHash } from '../../src/task/schema.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtIn } from '../suite-files.ts';

const basics = await builtIn('basics');
const world = await loadSuiteWorld(basics);
const NOW = world.appHash;

function withTask(id: string, change: (task: Task) => Task): LoadedSuite {
  return {
    ...basics,
    tasks: basics.tasks.map((each) => (each.task.id === id ? { ...each, task: change(each.task) } : each)),
  };
}

const qualified = async (suite: LoadedSuite, setting = NOW) =>
  Object.entries(await qualificationPins(suite, setting))
    .filter(([, { verdict }]) => verdict === 'qualified')
    .map(([name]) => name);

const GOOD = basics.tasks.flatMap(({ task: { id } }) => (id === 'example-h1' ? [] : [`basics/${id}`]));

async function lateOrder() {
  const found = (await readQualification(basics))?.tasks['late-order'];
  const task = basics.tasks.find((each) => each.task.id === 'late-order')?.task;
  if (found === undefined || task === undefined) throw new Error('basics has other tasks now');
  return { found, task };
}

const waiver = { task: 'late-order', mutant: 'success:drop', reason: 'nobody knows' };

test('a needless waiver leaves its proof current, and is reported until it is removed', async () => {
  const { found, task } = await lateOrder();
  const { verdict: _verdict, reasons: _reasons, ...trials } = found;
  const needless = proofOfTrials({ ...trials, needless_waivers: [waiver.mutant] });
  expect(needless).toMatchObject({
    verdict: 'unqualified',
    reasons: ['the waiver of success:drop is needless, take it away'],
  });
  const waived = (...waivers: (typeof waiver)[]) => waiversOf({ waivers }, 'late-order');
  expect(changedSince(needless, task, waived(waiver))).toEqual([]);
  expect(changedSince(needless, task, waived())).not.toEqual([]);
  expect(changedSince(needless, task, waived(waiver, { ...waiver, mutant: 'guards:drop' }))).not.toEqual([]);
});

describe('a proof rests on the versions of the kinds that judge its task', async () => {
  const { found, task } = await lateOrder();
  const waivers = waiversOf(basics, 'late-order');
  const { semantics = {} } = found;

  it('and names each of them, and no other', () => {
    expect(changedSince(found, task, waivers)).toEqual([]);
    expect(Object.keys(semantics)).toEqual(Object.keys(semanticsOf(task)));
    expect(Object.keys(semantics).length).toBeLessThan(Object.keys(SEMANTICS).length);
  });

  it.each(Object.keys(semantics))('%s at another version makes it stale', (kind) => {
    const other = { ...found, semantics: { ...semantics, [kind]: (semantics[kind] ?? 0) + 1 } };
    expect(changedSince(other, task, waivers)).not.toEqual([]);
  });

  it('without them, or with one missing, it is stale', () => {
    const { semantics: _none, ...unversioned } = found;
    expect(changedSince(unversioned, task, waivers)).not.toEqual([]);
    const { contract: _contract, ...fewer } = semantics;
    expect(changedSince({ ...found, semantics: fewer }, task, waivers)).not.toEqual([]);
  });
});

describe('trials of some tasks keep the proofs of the others', async () => {
  const proof = await readQualification(basics);
  if (proof === null) throw new Error('basics has no proof');
  const others = GOOD.map((name) => name.slice('basics/'.length)).filter((name) => name !== 'late-order');

  it('if they are made in the same way, in the same world', async () => {
    expect(Object.keys(await proofsToKeep(basics, proof, ['late-order'])).toSorted()).toEqual(
      [...others, 'example-h1'].toSorted(),
    );
    expect(await proofsToKeep(basics, { ...proof, app_hash: '0'.repeat(64) }, ['late-order'])).toEqual({});
  });

  it('and stale ones in it, which name their trials', async () => {
    const changed = withTask('late-order', (task) => ({ ...task, goal: 'Order pens.' }));
    expect(await proofsToKeep(changed, proof, [])).toEqual(proof.tasks);
    expect(await qualified(changed)).not.toContain('basics/late-order');
  });

  it('and those of instances that are not loaded now, but not those of tasks that are gone', async () => {
    const drawn = withTask('late-order', (task) => ({ ...task, instance: { name: 'drawn-1', parameters: {} } }));
    expect(await proofsToKeep(drawn, proof, ['late-order@drawn-1'])).toEqual(proof.tasks);
    const gone = { ...basics, tasks: basics.tasks.filter(({ task }) => task.id !== 'late-order') };
    expect(await proofsToKeep(gone, proof, [])).not.toHaveProperty('late-order');
  });

  it.each(['perturbations', 'repetitions', 'seed'] as const)('and are refused with other %s', async (key) => {
    const other = { ...proof, [key]: proof[key] + 1 };
    await expect(proofsToKeep(basics, other, ['late-order'])).rejects.toMatchObject({
      code: 'qualification_of_others',
      params: expect.objectContaining({ count: 7, flags: `--${key} ${proof[key]}` }),
    });
  });

  it('unless all are tried again', async () => {
    const all = basics.tasks.map(({ task }) => task.id);
    expect(await proofsToKeep(basics, { ...proof, perturbations: 1 }, all)).toEqual({});
  });
});

describe('the committed proof of basics', () => {
  it('is current: seven tasks qualify, and the seed that asks for a page is trivial', async () => {
    const pins = await qualificationPins(basics, NOW);
    expect(Object.keys(pins)).toEqual(basics.tasks.map(({ task }) => `basics/${task.id}`));
    expect(await qualified(basics)).toEqual(GOOD);
    expect(Object.values(pins).filter(({ verdict }) => verdict === 'trivial')).toHaveLength(1);
  });

  it('stays current for a task that gets faults, since no trial has any', async () => {
    const faults = Faults.parse([{ id: 'late', kind: 'server_error' }]);
    expect(await qualified(withTask('late-order', (task) => ({ ...task, faults })))).toEqual(GOOD);
  });

  it('holds if it names the task with its faults, as earlier versions did, for these faults alone', async () => {
    const { found, task: bare } = await lateOrder();
    const withFault = (id: string) => ({ ...bare, faults: Faults.parse([{ id, kind: 'server_error' }]) });
    const task = withFault('late');
    const earlier = { ...found, task_hash: taskHash(task) };
    expect(changedSince(earlier, task, waiversOf(basics, 'late-order'))).toEqual([]);
    expect(changedSince(earlier, withFault('later'), waiversOf(basics, 'late-order'))).not.toEqual([]);
  });

  it('is stale for a task whose contract has changed, and for no other', async () => {
    const loosened = withTask('late-order', (task) => ({ ...task, success: { kind: 'no_dialog' } }));
    expect(await qualified(loosened)).toEqual(GOOD.filter((name) => name !== 'basics/late-order'));
  });

  it('stays for every other task if one has another title, solution or near-miss, or is added', async () => {
    const others = GOOD.filter((name) => name !== 'basics/late-order');
    for (const change of [
      (task: Task) => ({ ...task, title: 'Another' }),
      (task: Task) => ({ ...task, solutions: [] }),
      (task: Task) => ({ ...task, nearMisses: [] }),
    ]) {
      expect(await qualified(withTask('late-order', change))).toEqual(others);
    }
    const [first] = basics.tasks;
    if (first === undefined) throw new Error('basics has no task');
    const more = { ...basics, tasks: [{ ...first, task: { ...first.task, id: 'another' } }, ...basics.tasks] };
    expect(await qualified(more)).toEqual(GOOD);
  });

  it('is stale for a task whose goal has changed', async () => {
    const other = withTask('late-order', (task) => ({ ...task, goal: 'Order pens.' }));
    expect(await qualified(other)).not.toContain('basics/late-order');
  });

  it('is stale as a whole when the app has changed', async () => {
    expect(await qualified(basics, '0'.repeat(64))).toEqual([]);
  });

  it('is stale for a task whose waivers have changed', async () => {
    const [waived] = basics.waivers.map(({ task }) => task);
    const fewer = { ...basics, waivers: basics.waivers.filter(({ task }) => task !== waived) };
    expect(await qualified(fewer)).toEqual(GOOD.filter((name) => name !== `basics/${waived}`));
  });
});

async function emptySuite() {
  return { file: path.join(await temporaryFolder(), 'suite.yaml') };
}

test('rows have the hash of the proof of a task that qualifies, and of no other', async () => {
  const pins = {
    qualifications: await qualificationPins(basics, NOW),
    judge_version: '1',
    app_hashes: { basics: NOW },
  };
  expect(qualificationHashOf(pins, 'basics', 'late-order')).toMatch(/^[0-9a-f]{64}$/);
  expect(qualificationHashOf(pins, 'basics', 'example-h1')).toBeNull();
  expect(qualificationHashOf(pins, 'basics', 'constructor')).toBeNull();
});

test('a suite without a proof has none, and an invalid one is refused by name', async () => {
  const suite = await emptySuite();
  expect(await readQualification(suite)).toBeNull();
  await writeFile(qualificationFile(suite), '{"schema_version":3}');
  await expect(readQualification(suite)).rejects.toMatchObject({ code: 'bad_qualification' });
});

test('a proof of an earlier version that does not state what it rests on counts as none', async () => {
  const suite = await emptySuite();
  const earlier = { ...(await readQualification(basics)), schema_version: 2, judge_version: '0.1.0+6e82cb595ab1' };
  await writeFile(qualificationFile(suite), JSON.stringify(earlier));
  expect(await readQualification(suite)).toBeNull();
});

test('the proof of a suite of some hundred tasks can be read, though no task file may be as large', async () => {
  const suite = await emptySuite();
  const proof = await readQualification(basics);
  const large = Object.values(proof?.tasks ?? {}).flatMap((task) =>
    Array.from({ length: 50 }, (_, at) => [`${task.task_hash.slice(0, 8)}-${at}`, task]),
  );
  const text = JSON.stringify({ ...proof, tasks: Object.fromEntries(large) }, null, 2);
  expect(text.length).toBeGreaterThan(1_048_576);
  await writeFile(qualificationFile(suite), text);
  expect(Object.keys((await readQualification(suite))?.tasks ?? {})).toHaveLength(large.length);
});

describe('a proof whose verdict does not follow from its trials is refused, by field', () => {
  it.each([
    ['verdict', { verdict: 'qualified' }],
    ['reasons', { reasons: [] }],
    ['controls', { controls: { null: 'failed' }, verdict: 'qualified', reasons: [] }],
  ])('%s', async (_field, edit) => {
    const suite = await emptySuite();
    const proof = await readQualification(basics);
    const trivial = proof?.tasks['example-h1'];
    await writeFile(qualificationFile(suite), JSON.stringify({ ...proof, tasks: { 'example-h1': trivial } }));
    expect(await readQualification(suite)).toMatchObject({ tasks: { 'example-h1': { verdict: 'trivial' } } });
    const edited = { ...proof, tasks: { 'example-h1': { ...trivial, ...edit } } };
    await writeFile(qualificationFile(suite), JSON.stringify(edited));
    await expect(readQualification(suite)).rejects.toMatchObject({
      code: 'bad_qualification',
      message: expect.stringContaining('does not follow from the trials next to it'),
    });
  });
});
