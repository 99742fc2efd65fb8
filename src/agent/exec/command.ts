import type { Confined } from '../../process/sandbox/confined.ts';
import { variablesNamed } from '../../process/variables.ts';

/** A command that is to drive the browser, as its file says. */
export interface ExecCommand {
  /** As in rows. */
  id: string;
  program: string;
  args: readonly string[];
  /** The folder of its file: where it works, and what it may read. */
  folder: string;
  /** Its own files; they can be read even where the folder is hidden. */
  files: readonly string[];
  /** Other places that it needs to read. */
  readable: readonly string[];
  /** Variables of ours that it is given, by name. */
  env: readonly string[];
  /** The same, of those whose values are secrets. */
  secrets: readonly string[];
  /** `shared` where it says that it needs the network. */
  network: 'gateway' | 'shared';
}

/** The command as it is run: in its own folder, with the variables that it names. */
export function confinedCommand({ env, secrets, ...command }: ExecCommand): Confined {
  const { program, args, folder, files, readable, network } = command;
  const variables = variablesNamed([...env, ...secrets]);
  return { program, args, folder, cwd: folder, files, readable, variables, network };
}
