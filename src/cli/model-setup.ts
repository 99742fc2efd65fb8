import { fact } from '../messages/messages.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { ModelSetup, OwnModel, OnComplaint } from '../agent/model/setup.ts';
import { AGENTS } from '../agent/built-in.ts';
import { promptProblems } from '../agent/prompt.ts';
import { isFileName } from '../plan/entrants.ts';
import { ownModelIn } from '../agent/model-names.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { formatProblem } from '../task/source/source.ts';
import { readPrompt } from './built-in-files.ts';
import { UsageError } from './exit-code.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment, with variables of `.env` in a folder that it does not set. */
export function environmentWithFile(folder: string, set: Environment): Environment {
  const file = path.resolve(folder, '.env');
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...set } : set;
}

interface ModelOptions {
  cassette?: string | undefined;
  recordCassette?: string | undefined;
  prompt?: string | undefined;
  onComplaint?: OnComplaint | undefined;
}

/**
 * Returns key, prompt and cassettes of models; null if none of these agents is one.
 * @param suites whose literals no prompt may contain
 */
export function modelSetup(
  agents: readonly string[],
  { cassette, recordCassette, prompt, onComplaint }: ModelOptions,
  environment: Environment,
  suites: readonly LoadedSuite[] = [],
): ModelSetup | null {
  if (cassette !== undefined && recordCassette !== undefined) throw new UsageError(fact('cassette_twice'));
  if (agents.every((name) => isFileName(name) || AGENTS.some(({ id }) => id === name))) {
    if (cassette === undefined && recordCassette === undefined && prompt === undefined) return null;
    throw new UsageError(fact('no_model_takes_part'));
  }
  const others = ownModels(agents);
  const text = promptFor(suites, prompt);
  return { environment, prompt: text, cassettes: cassettesOf(cassette, recordCassette), others, onComplaint };
}

/** @throws UsageError when two of them would have the same name in rows */
function ownModels(agents: readonly string[]): OwnModel[] {
  const models = [...new Set(agents)].flatMap((name) => ownModelIn(name) ?? []);
  const twice = models.find(({ agent }, index) => models.findIndex((each) => each.agent === agent) < index);
  if (twice === undefined) return models;
  throw new UsageError(fact('model_name_twice', { agent: twice.agent }));
}

/** @throws UsageError with every problem of the prompt */
function promptFor(suites: readonly LoadedSuite[], name: string | undefined): string {
  const { file, text } = readPrompt(name);
  const problems = promptProblems(
    file,
    text,
    suites.flatMap(({ tasks }) => tasks.map(({ task }) => task)),
  );
  if (problems.length === 0) return text;
  throw new UsageError(fact('bad_prompt', { problems: problems.map((problem) => formatProblem(problem)) }));
}

function cassettesOf(replay: string | undefined, record: string | undefined): ModelSetup['cassettes'] {
  if (replay !== undefined) {
    if (existsSync(replay)) return { do: 'replay', folder: replay };
    throw new UsageError(fact('no_cassette_folder', { folder: replay }));
  }
  return record === undefined ? null : { do: 'record', folder: record };
}
