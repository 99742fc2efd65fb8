import { main } from '../../src/cli/program.ts';
import { terminalOf } from './terminal-of.ts';

/** What a run of the program printed, and how it ended. */
export interface Ran {
  exit: number;
  out: string;
  err: string;
}

/** The program in this process: the same as `touchstone …`, without colours. */
export async function touchstone(...args: string[]): Promise<Ran> {
  const { terminal, written } = terminalOf(null);
  const exit = await main(args, { out: terminal.out, note: terminal.note });
  return { exit, ...written() };
}

/** As {@link touchstone}, typed in this folder. A process runs its tests one after the other, so no other test notices. */
export async function touchstoneIn(folder: string, ...args: string[]): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await touchstone(...args);
  } finally {
    process.chdir(before);
  }
}
