import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/stats/random.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { wrongEnd } from './fuzzed-folder.ts';
import { mutatedBytes } from './json-mutations.ts';

const TIMES = 100;

test('an archive with any byte of it changed is nobody’s crash, and writes nothing', async () => {
  const folder = path.join(await temporaryFolder(), 'suite');
  await cp('suites/webvoyager', folder, { recursive: true });
  const zip = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('.zip')) ?? '';
  const file = path.join(folder, zip);
  const whole = await readFile(file);
  const before = await readdir(folder, { recursive: true });
  const wrong: string[] = [];
  for (let seed = 1; seed <= TIMES; seed += 1) {
    await writeFile(file, mutatedBytes(whole, seededRandom(seed)));
    const end = await wrongEnd(['validate', folder]);
    if (end !== null) wrong.push(`seed ${seed}: ${end}`);
  }
  expect(wrong).toEqual([]);
  expect(await readdir(folder, { recursive: true })).toEqual(before);
});
