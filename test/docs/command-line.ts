import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CommanderError } from 'commander';
import { z } from 'zod';
import { ownModelIn } from '../../src/agent/model-names.ts';
import { Entrants, isFileName } from '../../src/plan/entrants.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import type { CommandSpec } from '../../src/cli/command.ts';
import { readPrompt } from '../../src/cli/built-in-files.ts';
import { readOptions } from '../../src/cli/options.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { createProgram } from '../../src/cli/program.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')));

const ENTRANTS = await Entrants.load(
  {},
  {
    environment: {},
    prompt: readPrompt().text,
    cassettes: null,
    others: ['openai-compatible:qwen3', 'openai:gpt-5.2'].flatMap((name) => ownModelIn(name) ?? []),
  },
);

const OURS = /^(?:touchstone|npm run(?: -s)?|npm test|npx \S+)(?= |$)/;
/** The folders of committed files that commands name. */
const COMMITTED =
  /^(?:\.\/)?((?:apps|bench|campaigns|docs|examples|faults|prompts|scripts|src|suites|surfaces|test)\/[\w./-]+)$/;

/** The commands in a block of shell, each without its variables, comments and pipes. */
export function allCommandsIn(shell: string): string[] {
  return shell
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/&&|\|\||[|;()]|>/))
    .map((part) => part.trim().replace(/^(?:time )?(?:[A-Z_]+=\S* )*/, ''))
    .filter((part) => part !== '');
}

export function commandsIn(shell: string): string[] {
  return allCommandsIn(shell).filter((part) => OURS.test(part));
}

export const SCRIPT_COMMANDS: readonly string[] = Object.values(scripts).flatMap(ownCommandsOf);

function ownCommandsOf(script: string): string[] {
  return script.split(' && ').flatMap((part) => {
    const args = /^tsx src\/cli\/main\.ts (.+)$/.exec(part)?.[1];
    return args === undefined ? [] : [`touchstone ${args}`];
  });
}

/** Finds a fault in a command without running it; null if there is none. */
export function commandProblem(command: string): string | null {
  const missing = missingFile(command);
  if (missing !== null) return missing;
  const called = argumentsOf(command);
  if (typeof called === 'string') return called;
  const parsed = called === null || called.length === 0 ? null : parseArguments(called);
  return typeof parsed === 'string' ? parsed : parsed === null ? null : valueProblem(parsed);
}

/** Names a committed file that a command reads but that is missing; null if none is. */
export function missingFile(command: string): string | null {
  const files = command.split(/\s+/).flatMap((word) => COMMITTED.exec(word)?.[1] ?? []);
  const missing = files.find((file) => !existsSync(path.join(packageRoot(), file)));
  return missing === undefined ? null : `there is no file "${missing}"`;
}

export interface ParsedCommand {
  spec: CommandSpec;
  args: readonly string[];
  given: Record<string, unknown>;
}

/** A command of the program; null if it is not one, or has a fault. */
export function parsedCommand(command: string): ParsedCommand | null {
  const called = argumentsOf(command);
  if (called === null || typeof called === 'string') return null;
  const parsed = parseArguments(called);
  return typeof parsed === 'string' ? null : parsed;
}

/** The arguments that the program gets; null if another program is run, an error text if that is missing. */
function argumentsOf(command: string): string[] | string | null {
  const words = (command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []).map((word) => word.replaceAll(/^["']|["']$/g, ''));
  const [program, ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  if (program === 'touchstone') return rest;
  if (words[0] === 'npx')
    return existsSync(path.join(packageRoot(), 'node_modules/.bin', program ?? ''))
      ? null
      : `there is no program "${program}"`;
  if (rest[0] === 'test') return scripts['test'] === undefined ? 'there is no test script' : null;
  const [name = '', ...args] = rest.slice(1).filter((word) => word !== '-s');
  const script = scripts[name];
  if (script === undefined) return `there is no npm script "${name}"`;
  const given = args[0] === '--' ? args.slice(1) : args;
  const own = /^.*src\/cli\/main\.ts ?(.*)$/.exec(script)?.[1];
  if (own === undefined) return null;
  return [...own.split(/\s+/).filter((word) => word !== ''), ...given];
}

/** Lets the program itself parse the arguments, with no action attached: a text is the fault found. */
function parseArguments(args: readonly string[]): ParsedCommand | string | null {
  const silent = { out: () => {}, note: () => {} };
  const program = createProgram(silent, () => {});
  let parsed: ParsedCommand | null = null;
  for (const [index, command] of program.commands.entries()) {
    command.action(() => {
      const spec = COMMANDS[index];
      if (spec !== undefined) parsed = { spec, args: command.args, given: command.opts() };
    });
  }
  try {
    program.parse([...args], { from: 'user' });
    return parsed;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? null : error.message;
  }
}

function valueProblem({ spec: { options }, given }: ParsedCommand): string | null {
  try {
    const values = z
      .object({ agent: z.array(z.string()).default([]), surface: z.array(z.string()).default([]) })
      .parse(readOptions(given, options, {}));
    values.agent.filter((name) => !isFileName(name)).forEach((name) => ENTRANTS.agent(name));
    values.surface.filter((name) => !isFileName(name)).forEach((name) => ENTRANTS.surface(name));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
