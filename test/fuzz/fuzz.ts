import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { seededRandom } from '../../src/stats/resampling.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { FuzzedFolder, wrongEnd } from './fuzzed-folder.ts';

/** A command on a changed folder; `other` is one that is as it was. */
type Line = (root: string, other: string) => string[];

/** All that read a bundle, where nothing more than that is wanted of them. */
export const BUNDLE_COMMANDS: readonly Line[] = [
  (root) => ['verify', root],
  (root) => ['verify', root, '--json'],
  (root) => ['report', root, '--json'],
  (root) => ['compare', root],
  (root, other) => ['compare', other, root, '--gate'],
  (root, other) => ['report', other, root],
  (root) => ['rejudge', root],
  (root) => ['show', root],
  (root) => ['show', root, '--json'],
  (root) => ['publish', root, '--to', path.join(path.dirname(root), 'out')],
  (root) => ['sign', root, '--key', path.join(root, 'campaign.json')],
];

/** All that read a suite. */
export const SUITE_COMMANDS: readonly Line[] = [
  (root) => ['validate', root],
  (root) => ['list', root],
  (root) => ['plan', root],
  (root) => ['plan', root, '--agent', 'reference,null', '--json'],
];

/** The failures among this many changes, each with the seed that repeats it. */
export async function fuzz(
  from: string,
  commands: readonly Line[],
  { seed, times }: { seed: number; times: number },
): Promise<string[]> {
  const inside = await temporaryFolder();
  const around = path.join(inside, 'around');
  const folder = await FuzzedFolder.of(from, around);
  const wrong: string[] = [];
  for (let made = 0; made < times; made += 1) {
    const random = seededRandom(seed + made);
    const { what, undo } = await folder.change(random);
    const line = commands[Math.floor(random() * commands.length)]?.(folder.root, from) ?? [];
    const end = await wrongEnd(line);
    if (end !== null) wrong.push(`seed ${seed + made}: ${line[0]} after ${what}: ${end}`);
    await undo();
  }
  const strange = (await readdir(inside)).filter((name) => name !== 'around');
  const beside = (await readdir(around)).filter((name) => name !== path.basename(from) && name !== 'out');
  return [...wrong, ...[...strange, ...beside].map((name) => `${name} was written outside of the folder`)];
}
