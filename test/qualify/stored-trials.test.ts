import path from 'node:path';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { TrialStore } from '../../src/qualify/stored-trials.ts';
import type { QualifyingTrial } from '../../src/qualify/judged-trial.ts';
import { evidence, page } from '../contract/evidence-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const trial = (url: string, stop: QualifyingTrial['stop'] = 'done'): QualifyingTrial => ({
  stop,
  detail: null,
  finalUrl: url,
  start: evidence({ pages: [page({ url: 'https://shop.test/' })] }),
  end: evidence({ pages: [page({ url })] }),
});
const PAID = trial('https://shop.test/paid');
const key = 'a'.repeat(64);
const DUE = ['near-miss-3', 'near-miss-4'].map((id) => ({ id, key }));

async function stored(trials: readonly QualifyingTrial[] = [PAID]) {
  const root = await temporaryFolder();
  const store = new TrialStore(root, '/suites/shop/suite.yaml', 'pay');
  const kept = await Promise.all(trials.map((each, at) => store.add({ id: `near-miss-${at}`, key, ms: 5 }, each)));
  const whole = kept.flatMap((each) => (each === null ? [] : [each]));
  const hash = await store.record(whole);
  const [folder = ''] = await readdir(root);
  return { root, store, hash, kept: whole, folder: path.join(root, folder) };
}

test('trials come back unchanged, by the hash that a proof names', async () => {
  const { store, hash } = await stored();
  const trials = await store.recorded(hash);
  expect(trials).toMatchObject([{ id: 'near-miss-0', key, ms: 5 }]);
  expect(await store.matching(trials, DUE)).toEqual(new Map([['near-miss-3', trials[0]]]));
  for (const each of trials) expect(await store.load(each)).toEqual(PAID);
});

test('the step that failed in a solution comes back with its trial', async () => {
  const failing = { ...PAID, failedStep: 'step 2 of the solution failed' };
  const { store, kept } = await stored([failing]);
  for (const each of kept) expect(await store.load(each)).toEqual(failing);
});

test.each(['infra_error', 'invalid_task'] as const)('a trial that ended in %s is not stored', async (stop) => {
  expect((await stored([trial('https://shop.test/', stop)])).kept).toEqual([]);
});

test('no trials are found for another hash, task or copy of the suite', async () => {
  const { root, store, hash } = await stored();
  expect(await store.recorded('0'.repeat(64))).toEqual([]);
  for (const other of [
    new TrialStore(root, '/suites/shop/suite.yaml', 'order'),
    new TrialStore(root, '/suites/copy/suite.yaml', 'pay'),
  ]) {
    expect(await other.recorded(hash)).toEqual([]);
  }
});

test('an edited or misplaced record is refused', async () => {
  const { store, hash, folder } = await stored();
  const other = await stored([trial('https://shop.test/free')]);
  const file = (await readdir(folder)).find((name) => name.startsWith(hash)) ?? '';
  const foreign = (await readdir(other.folder)).find((name) => name.startsWith(other.hash)) ?? '';
  await copyFile(path.join(other.folder, foreign), path.join(folder, file));
  await expect(store.recorded(hash)).rejects.toThrow(`blob ${hash} `);
  await writeFile(path.join(folder, file), '{"schema_version":1,"trials":[]}');
  await expect(store.recorded(hash)).rejects.toThrow(`blob ${hash} `);
});

test('edited evidence is refused, and missing evidence is missing', async () => {
  const { store, kept, folder } = await stored();
  const name = kept[0]?.end.evidence ?? '';
  const file = (await readdir(folder)).find((each) => each.startsWith(name)) ?? '';
  await writeFile(path.join(folder, file), 'passed');
  await expect(store.matching(kept, DUE)).rejects.toThrow(`blob ${name} `);
  await store.clear();
  expect(await store.matching(kept, DUE)).toEqual(new Map());
});

test('a record of another shape is refused, even with the hash that it is read by', async () => {
  const { store, hash, kept } = await stored();
  const [first] = kept;
  if (first === undefined) throw new Error('nothing was stored');
  const odd = await store.record([{ ...first, ms: -1 }]);
  expect(odd).not.toBe(hash);
  await expect(store.recorded(odd)).rejects.toThrow('ms');
});

test('trials that the last proof does not name are removed', async () => {
  const { store, hash, kept, folder } = await stored([PAID, trial('https://shop.test/free')]);
  const next = await store.record(kept.slice(0, 1));
  await store.keepOnly(next, kept.slice(0, 1));
  expect(await store.recorded(hash)).toEqual([]);
  expect((await store.matching(await store.recorded(next), DUE)).size).toBe(1);
  expect(await readdir(folder)).toHaveLength(3);
});
