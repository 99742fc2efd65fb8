import type { ExitCode } from './exit-code.ts';
import { type OptionName, type OptionValues, readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** A command as the program mounts it. */
export interface CommandSpec {
  /** Name and arguments, for example `show <bundle> [episode]`. */
  usage: string;
  about: string;
  options: readonly OptionName[];
  examples?: readonly string[];
  run(args: readonly string[], given: Record<string, unknown>, terminal: Terminal): Promise<ExitCode>;
}

/** Defines a command whose options are typed by the names that it lists. */
export function defineCommand<const N extends OptionName>(spec: {
  usage: string;
  about: string;
  options: readonly N[];
  examples?: readonly string[];
  /** `given` names the options that stand on the command line itself. */
  run(
    args: readonly string[],
    options: OptionValues<N>,
    terminal: Terminal,
    given: readonly string[],
  ): Promise<ExitCode>;
}): CommandSpec {
  return {
    ...spec,
    run: (args, given, terminal) =>
      spec.run(args, readOptions(given, spec.options, process.env), terminal, Object.keys(given)),
  };
}
