import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { ModelSetup } from '../agent/model/setup.ts';
import { AGENTS } from '../campaign/agents.ts';
import { isFileName } from '../campaign/entrants.ts';
import { packageRoot } from '../campaign/package-root.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that are set, and those of `.env` in a folder, which override none of them. */
export function environmentWithFile(folder: string, set: Environment): Environment {
  const file = path.resolve(folder, '.env');
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...set } : set;
}

/** What models are asked with; null when none of these agents can be one. */
export function modelSetup(
  agents: readonly string[],
  { cassette, recordCassette }: { cassette?: string | undefined; recordCassette?: string | undefined },
  environment: Environment,
): ModelSetup | null {
  if (cassette !== undefined && recordCassette !== undefined) {
    throw new UsageError('--cassette replays and --record-cassette records', 'leave out one of them');
  }
  if (agents.every((name) => isFileName(name) || AGENTS.some(({ id }) => id === name))) {
    if (cassette === undefined && recordCassette === undefined) return null;
    throw new UsageError('cassettes are for models, and none takes part', 'name one with --agent');
  }
  return { environment, prompt: defaultPrompt(), cassettes: cassettesOf(cassette, recordCassette) };
}

function cassettesOf(replay: string | undefined, record: string | undefined): ModelSetup['cassettes'] {
  if (replay !== undefined) {
    if (existsSync(replay)) return { do: 'replay', folder: replay };
    throw new UsageError(`--cassette: there is no folder "${replay}"`, 'record it first with --record-cassette');
  }
  return record === undefined ? null : { do: 'record', folder: record };
}

/** The text of `prompts/default.md`. */
export function defaultPrompt(): string {
  return readFileSync(path.join(packageRoot(), 'prompts', 'default.md'), 'utf8');
}
