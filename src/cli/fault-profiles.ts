import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '../contract/nearest-name.ts';
import { isFileName } from '../plan/entrants.ts';
import { packageRoot } from '../plan/package-root.ts';
import { parsePlainly } from '../contract/validation/problem.ts';
import { type Fault, FaultProfile } from '../fault/schema.ts';
import { readSource } from '../task/source/read-source.ts';
import { formatProblem, inFile } from '../task/source/source.ts';
import { UsageError } from './exit-code.ts';

/**
 * The faults of profiles, one after the other.
 * @param names of built-in profiles, or files
 * @throws UsageError when there is none of a name, or holding every problem of a file.
 */
export async function readFaultProfiles(names: readonly string[]): Promise<Fault[]> {
  const profiles = await Promise.all([...new Set(names)].map(readProfile));
  return profiles.flatMap(({ faults }) => faults);
}

/** Names of the profiles that come with the package. */
export function builtInProfiles(): string[] {
  return readdirSync(profileFolder())
    .map((each) => path.basename(each, '.yaml'))
    .toSorted();
}

async function readProfile(name: string): Promise<FaultProfile> {
  const file = isFileName(name) ? name : path.join(profileFolder(), `${name}.yaml`);
  if (!existsSync(file)) {
    const remedy = `name a file, or choose from ${builtInProfiles().join(', ')}`;
    throw new UsageError(`--fault: there is no profile "${name}"${didYouMean(name, builtInProfiles())}`, remedy);
  }
  const read = await readSource(file);
  if (!read.ok) throw badProfile(read.problems.map((problem) => formatProblem({ ...problem, file })));
  const parsed = parsePlainly(FaultProfile, read.value.value);
  if (parsed.ok) return parsed.value;
  throw badProfile(inFile(file, read.value, parsed.problems).map((problem) => formatProblem(problem)));
}

function badProfile(lines: readonly string[]): UsageError {
  return new UsageError(lines.join('\n'), 'fix the file; docs/stress.md describes it');
}

function profileFolder(): string {
  return path.join(packageRoot(), 'faults');
}
