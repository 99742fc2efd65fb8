import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seededRandom } from '../../src/stats/resampling.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { wrongEnd } from './fuzzed-folder.ts';
import { mutatedBytes } from './json-mutations.ts';

/** Changes an archive's bytes this many times, and lists what went wrong, each with its seed. */
export async function archiveFuzz(times: number): Promise<string[]> {
  const folder = path.join(await temporaryFolder(), 'suite');
  await cp('suites/webvoyager', folder, { recursive: true });
  const zip = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('.zip')) ?? '';
  const file = path.join(folder, zip);
  const whole = await readFile(file);
  const before = await readdir(folder, { recursive: true });
  const wrong: string[] = [];
  for (let seed = 1; seed <= times; seed += 1) {
    await writeFile(file, mutatedBytes(whole, seededRandom(seed)));
    const end = await wrongEnd(['validate', folder]);
    if (end !== null) wrong.push(`seed ${seed}: ${end}`);
  }
  const after = await readdir(folder, { recursive: true });
  const other = [...after.filter((name) => !before.includes(name)), ...before.filter((name) => !after.includes(name))];
  return [...wrong, ...other.map((name) => `${name} was written or removed`)];
}
