import { fact } from '../messages/messages.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nearestName } from '../contract/nearest-name.ts';
import { isFileName } from '../plan/entrants.ts';
import { packageRoot } from '../plan/package-root.ts';
import { type Fault, FaultProfile } from '../fault/schema.ts';
import { readChecked } from '../task/source/read-source.ts';
import { formatProblem } from '../task/source/source.ts';
import { UsageError } from './exit-code.ts';

/**
 * Reads the faults of profiles.
 * @param names of built-in profiles, or files
 * @throws UsageError for an unknown name, or with every problem of a file
 */
export async function readFaultProfiles(names: readonly string[]): Promise<Fault[]> {
  const profiles = await Promise.all([...new Set(names)].map(readProfile));
  return profiles.flatMap(({ faults }) => faults);
}

export function builtInProfiles(): string[] {
  return readdirSync(profileFolder())
    .map((each) => path.basename(each, '.yaml'))
    .toSorted();
}

async function readProfile(name: string): Promise<FaultProfile> {
  const file = isFileName(name) ? name : path.join(profileFolder(), `${name}.yaml`);
  if (!existsSync(file)) {
    const known = builtInProfiles();
    throw new UsageError(fact('unknown_profile', { name, meant: nearestName(name, known) ?? '', known }));
  }
  const read = await readChecked(file, FaultProfile);
  if (read.ok) return read.value;
  throw new UsageError(fact('bad_profile', { problems: read.problems.map(formatProblem) }));
}

function profileFolder(): string {
  return path.join(packageRoot(), 'faults');
}
