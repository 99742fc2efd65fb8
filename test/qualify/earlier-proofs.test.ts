import path from 'node:path';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readQualification } from '../../src/plan/qualification.ts';
import { setRefusedAside } from '../../src/qualify/earlier-proofs.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function suiteWith(proof: string | null) {
  const folder = await temporaryFolder();
  const suite = { id: 'prices', file: path.join(folder, 'suite.yaml') };
  const file = path.join(folder, 'qualification.json');
  if (proof !== null) await writeFile(file, proof);
  return { suite, file, trials: path.join(folder, 'trials') };
}

test.each([
  ['is no JSON', '{"schema_version":', 'qualification.json'],
  ['is of a newer version', '{"schema_version":4}', 'schema_version'],
  ['is of another schema', '{"name":"x"}', 'schema_version'],
])('a proof that %s makes room for a new one, and is kept as it is', async (_, text, why) => {
  const { suite, file, trials } = await suiteWith(text);
  const refused = await setRefusedAside(suite, trials);
  expect(existsSync(file)).toBe(false);
  expect(refused?.problems.map(({ file: named, path: field }) => [named, ...field].join(' ')).join()).toContain(why);
  expect(await readFile(refused?.place ?? '', 'utf8')).toBe(text);
  expect(path.dirname(refused?.place ?? '')).toBe(trials);
  expect(await readQualification(suite)).toBeNull();
});

test('two refused proofs are both kept', async () => {
  const { suite, file, trials } = await suiteWith('{');
  await setRefusedAside(suite, trials);
  await writeFile(file, '[');
  await setRefusedAside(suite, trials);
  expect(await readdir(trials)).toHaveLength(2);
});

test('a proof of an earlier version counts as none, and stays until another replaces it', async () => {
  const { suite, file, trials } = await suiteWith('{"schema_version":2}');
  expect(await setRefusedAside(suite, trials)).toBeNull();
  expect([existsSync(file), existsSync(trials)]).toEqual([true, false]);
});

test('nothing is done without a proof', async () => {
  const { suite, trials } = await suiteWith(null);
  expect(await setRefusedAside(suite, trials)).toBeNull();
  expect(existsSync(trials)).toBe(false);
});

test('a proof that cannot be moved is reported with its defect', async () => {
  const { suite, file, trials } = await suiteWith(null);
  await mkdir(file);
  await expect(setRefusedAside(suite, trials)).rejects.toMatchObject({
    code: 'qualification_not_moved',
    message: expect.stringContaining('it cannot be set aside'),
  });
  expect(existsSync(file)).toBe(true);
});
