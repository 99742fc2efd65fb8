import type { z } from 'zod';
import type { ExitCode } from './exit-code.ts';
import { readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** A command as the program mounts it. */
export interface CommandSpec {
  /** Name and arguments, for example `show <bundle> [episode]`. */
  usage: string;
  about: string;
  /** Some of `Options`. */
  options: z.ZodObject;
  examples?: readonly string[];
  run(args: readonly string[], given: Record<string, unknown>, terminal: Terminal): Promise<ExitCode>;
}

/** Defines a command whose options are typed by the set that it takes. */
export function defineCommand<S extends z.ZodObject>(spec: {
  usage: string;
  about: string;
  options: S;
  examples?: readonly string[];
  /** `given` names the options that stand on the command line itself. */
  run(args: readonly string[], options: z.output<S>, terminal: Terminal, given: readonly string[]): Promise<ExitCode>;
}): CommandSpec {
  return {
    ...spec,
    run: (args, given, terminal) =>
      spec.run(args, readOptions(given, spec.options, process.env), terminal, Object.keys(given)),
  };
}
