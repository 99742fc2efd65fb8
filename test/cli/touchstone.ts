import { main } from '../../src/cli/program.ts';

/** What a run of the program printed, and how it ended. */
export interface Ran {
  exit: number;
  out: string;
  err: string;
}

/** The program in this process: the same as `touchstone …`, but for colours. */
export async function touchstone(...args: string[]): Promise<Ran> {
  const printed = { out: '', err: '' };
  const exit = await main(args, {
    out: (line) => {
      printed.out += `${line}\n`;
    },
    note: (line) => {
      printed.err += `${line}\n`;
    },
  });
  return { exit, ...printed };
}
