import type { z } from 'zod';
import type { ExitCode } from './exit-code.ts';
import { readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** A command as the program mounts it. */
export interface CommandSpec {
  name: string;
  /** For example `<bundle> [episode]`; absent where it takes none. */
  args?: string;
  /** Where `--help` has it. */
  group: CommandGroup;
  /** One line of `--help`. */
  summary: string;
  /** All that is to be said, for its own help and docs/cli.md. */
  about: string;
  /** Words that its first argument may be, where they are few. */
  words?: readonly string[];
  /** Some of `Options`. */
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

/**
 * Defines a command whose options are typed by the set that it takes. Help reads all commands: what only `run` needs, `run`
 * itself imports.
 */
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

/** Name and arguments, as help writes them. */
export function usageOf({ name, args }: CommandSpec): string {
  return args === undefined ? name : `${name} ${args}`;
}

/** The parts of `--help`, in its order: what somebody is about to do. */
export const COMMAND_GROUPS = {
  run: 'Run',
  judge: 'Judge and check',
  write: 'Write tasks and surfaces',
  share: 'Share',
  program: 'This program',
} as const;
type CommandGroup = keyof typeof COMMAND_GROUPS;

/** Names that other tools have for what a command here does. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  eval: 'run',
  test: 'run',
  view: 'show',
  'show-report': 'show',
  score: 'rejudge',
  diff: 'compare',
};
