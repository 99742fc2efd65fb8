import path from 'node:path';
import type { Path } from '../contract/validation/problem.ts';
import { readSource } from '../task/source/read-source.ts';
import { formatPath } from '../task/source/source.ts';
import { fact } from '../messages/messages.ts';
import { WorldError } from '../world/error.ts';

/** Names a place in a suite file: `suite.yaml:9 world.sites[0].program.command`. */
export async function placeInSuite(file: string, at: Path): Promise<string> {
  const read = await readSource(file);
  const line = read.ok ? read.value.placeOf(at).line : null;
  return `${path.relative('.', file)}${line === null ? '' : `:${line}`} ${formatPath(at)}`;
}

/** Does what may fail for a program of a suite, and says of an error where that program is named. */
export async function namingProgram<T>(file: string, site: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const place = await placeInSuite(file, ['world', 'sites', site, 'program', 'command']);
    const { message: why, remedy } = error;
    throw new WorldError(fact('app_in_suite', { place, why, remedy }), error);
  }
}
