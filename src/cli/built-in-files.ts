import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nearestName } from '../contract/nearest-name.ts';
import { type Fault, FaultProfile } from '../fault/schema.ts';
import { fact } from '../messages/messages.ts';
import { isFileName } from '../plan/entrants.ts';
import { packageRoot } from '../plan/package-root.ts';
import { readChecked } from '../task/source/read-source.ts';
import { formatProblem } from '../task/source/source.ts';
import { UsageError } from './exit-code.ts';

export const DEFAULT_PROMPT = 'default';

export interface PromptFile {
  file: string;
  text: string;
}

/**
 * @param name of a built-in prompt, or a file
 * @throws UsageError when its name is unknown
 */
export function readPrompt(name: string = DEFAULT_PROMPT): PromptFile {
  const file = fileNamed(name, 'prompts', '.md');
  if (existsSync(file)) return { file, text: readFileSync(file, 'utf8') };
  throw new UsageError(fact('unknown_prompt', unknownOf(name, builtInPrompts())));
}

export function builtInPrompts(): string[] {
  return namesIn('prompts', '.md');
}

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
  return namesIn('faults', '.yaml');
}

async function readProfile(name: string): Promise<FaultProfile> {
  const file = fileNamed(name, 'faults', '.yaml');
  if (!existsSync(file)) throw new UsageError(fact('unknown_profile', unknownOf(name, builtInProfiles())));
  const read = await readChecked(file, FaultProfile);
  if (read.ok) return read.value;
  throw new UsageError(fact('bad_profile', { problems: read.problems.map(formatProblem) }));
}

function fileNamed(name: string, folder: string, ending: string): string {
  return isFileName(name) ? name : path.join(packageRoot(), folder, `${name}${ending}`);
}

function namesIn(folder: string, ending: string): string[] {
  const files = readdirSync(path.join(packageRoot(), folder));
  return files.map((name) => path.basename(name, ending)).toSorted();
}

function unknownOf(name: string, known: string[]) {
  return { name, meant: nearestName(name, known) ?? '', known };
}
