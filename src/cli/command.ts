import type { z } from 'zod';
import type { ExitCode } from './exit-code.ts';
import { readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

export interface CommandSpec {
  name: string;
  /** For example `<bundle> [episode]`. */
  args?: string;
  /** One line of `--help`. */
  summary: string;
  /** The description in its own help and docs/cli.md. */
  about: string;
  /** Completions of its first argument. */
  words?: readonly string[];
  options: z.ZodObject;
  examples?: readonly string[];
  run(args: readonly string[], given: Record<string, unknown>, terminal: Terminal): Promise<ExitCode>;
}

/** Arguments and options of a command; `given` names the options that were on the command line. */
export interface Request<O> {
  args: readonly string[];
  options: O;
  given: readonly string[];
}

/** Defines a command and types its options. Help loads every command, so `run` imports lazily what only it needs. */
export function defineCommand<S extends z.ZodObject>(
  spec: Omit<CommandSpec, 'options' | 'run'> & {
    options: S;
    run(request: Request<z.output<S>>, terminal: Terminal): Promise<ExitCode>;
  },
): CommandSpec {
  return {
    ...spec,
    run: (args, given, terminal) =>
      spec.run({ args, options: readOptions(given, spec.options, process.env), given: Object.keys(given) }, terminal),
  };
}

/** Returns name and arguments, as in `--help`. */
export function usageOf({ name, args }: CommandSpec): string {
  return args === undefined ? name : `${name} ${args}`;
}

/** Names of other tools for our commands. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  eval: 'run',
  test: 'run',
  view: 'show',
  'show-report': 'show',
  score: 'rejudge',
  diff: 'compare',
};
