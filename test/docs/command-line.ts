import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommanderError } from 'commander';
import { z } from 'zod';
import { Entrants, isFileName } from '../../src/plan/entrants.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { readPrompt } from '../../src/cli/prompts.ts';
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
    compatible: [{ name: 'openai-compatible:qwen3', agent: 'openai-compatible-qwen3', model: 'qwen3' }],
  },
);

const OURS = /^(?:touchstone|npm run(?: -s)?|npm test|npx touchstone)\b/;

/** The commands of ours in a block of shell: `touchstone …` and `npm run …`, without variables, pipes and comments. */
export function commandsIn(shell: string): string[] {
  return shell
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/&&|\|\||[|;()]|>/))
    .map((part) => part.trim().replace(/^(?:time )?(?:[A-Z_]+=\S* )*/, ''))
    .filter((part) => OURS.test(part));
}

/** What is wrong with a command, found out without running it; null when nothing is. */
export function commandProblem(command: string): string | null {
  const words = command.split(/\s+/).map((word) => word.replaceAll(/^["']|["']$/g, ''));
  const [program, ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  if (program === 'touchstone') return rest.length === 0 ? null : argumentsProblem(rest);
  if (rest[0] === 'test') return scripts['test'] === undefined ? 'there is no test script' : null;
  const [name = '', ...args] = rest.slice(1).filter((word) => word !== '-s');
  const script = scripts[name];
  if (script === undefined) return `there is no npm script "${name}"`;
  const given = args[0] === '--' ? args.slice(1) : args;
  const own = /^.*src\/cli\/main\.ts ?(.*)$/.exec(script)?.[1];
  if (own === undefined) return null;
  return argumentsProblem([...own.split(/\s+/).filter((word) => word !== ''), ...given]);
}

/** Lets the program itself parse the arguments, with every action taken out. */
function argumentsProblem(args: readonly string[]): string | null {
  const silent = { out: () => {}, note: () => {} };
  const program = createProgram(silent, () => {});
  let problem: string | null = null;
  for (const [index, command] of program.commands.entries()) {
    command.action(() => {
      problem = valueProblem(index, command.opts());
    });
  }
  try {
    program.parse([...args], { from: 'user' });
    return problem;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? null : error.message;
  }
}

function valueProblem(command: number, given: Record<string, unknown>): string | null {
  const options = COMMANDS[command]?.options ?? z.object({});
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
