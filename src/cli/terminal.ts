import { fact } from '../messages/messages.ts';
import { createInterface } from 'node:readline/promises';
import { colours, painted } from './colours.ts';
import { UsageError } from './exit-code.ts';
import { withinColumns, widthOf } from './layout.ts';

/** A terminal that something can be drawn on again. */
interface Drawable {
  write(text: string): unknown;
  readonly columns: number;
  readonly rows: number;
}

/** Some terminals do not say how large they are, or say 0. */
function sizeOf({ columns, rows }: Pick<Drawable, 'columns' | 'rows'>): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** The last lines of a terminal, which are drawn again in place; what is printed meanwhile goes above them. */
export class Region {
  readonly #terminal: Drawable;
  #shown: readonly string[] = [];
  #lines: () => readonly string[] = () => [];

  constructor(terminal: Drawable) {
    this.#terminal = terminal;
  }

  get size(): { columns: number; rows: number } {
    return sizeOf(this.#terminal);
  }

  /** @param lines as they are now; none: nothing is left of the region. */
  show(lines: () => readonly string[]): void {
    this.#lines = lines;
    this.#terminal.write(this.#erasing());
    this.#draw();
  }

  /** @param print writes whole lines to this terminal, by whatever stream. */
  above(print: () => void): void {
    if (this.#shown.length === 0) {
      print();
      return;
    }
    this.#terminal.write(this.#erasing());
    print();
    // They may have changed with what was printed: an episode that has ended is counted at once.
    this.#draw();
  }

  #draw(): void {
    this.#shown = this.#lines().map(painted);
    this.#terminal.write(this.#shown.map((line) => `${line}\n`).join(''));
  }

  /** A terminal that has become narrower since has broken the lines, and shows more of them. */
  #erasing(): string {
    const { columns } = this.size;
    const heights = this.#shown.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const height = heights.reduce((sum, each) => sum + each, 0);
    return height === 0 ? '' : `\u001b[${height}A\r\u001b[J`;
  }
}

/**
 * Prints for a command. It makes all text harmless: control characters become visible, and a line break does not begin a line.
 */
export interface Terminal {
  /** Prints one line. */
  out: (line: string) => void;
  /** Prints one line about the progress to standard error, so that pipes get the result only. */
  note: (line: string) => void;
  /** Asks a question that is answered by yes or no; absent where nobody can answer. */
  confirm?(question: string): Promise<boolean>;
  /** Asks a question that is answered in words; empty: as is usual; the signal takes it back. Absent where nobody can answer. */
  ask?: (question: string, signal?: AbortSignal) => Promise<string>;
  /** The words by which the program is called here; `touchstone` where it is left out. */
  command?: string;
  /** Width of the terminal that `out` prints on; absent for a file or a pipe. */
  columns?: number;
  /** The end of the terminal, which can be drawn again in place; absent where nothing can. */
  screen?: Pick<Region, 'show' | 'size'>;
}

/** A stream that a terminal may be at the end of. */
export type Printed = Drawable & { readonly isTTY?: boolean };

const COMMAND = import.meta.filename.endsWith('.ts') ? 'npm run touchstone --' : 'npx touchstone';

/**
 * Prints on two streams. On a terminal, lines are broken to its width; in a file or a pipe each is one line, as a script looks for it.
 * @param canDraw whether lines of `err` can be drawn again in place
 */
export function terminalOn(out: Printed, err: Printed, canDraw: boolean): Terminal {
  const region = canDraw ? new Region(err) : null;
  const printOn = (stream: Printed) => (text: string) => {
    const line = painted(text);
    const print = (): void => {
      stream.write(`${stream.isTTY === true ? withinColumns(line, sizeOf(stream).columns, COMMAND) : line}\n`);
    };
    if (region === null || stream.isTTY !== true) print();
    else region.above(print);
  };
  return {
    out: printOn(out),
    note: printOn(err),
    ...(out.isTTY === true ? { columns: sizeOf(out).columns } : {}),
    ...(region === null ? {} : { screen: region }),
    // A clone runs the sources by a script of its package.json, and a package what was built of them.
    command: COMMAND,
  };
}

export const terminal: Terminal = {
  ...terminalOn(process.stdout, process.stderr, process.stderr.isTTY && process.env['TERM'] !== 'dumb'),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm, ask } : {}),
};

/** Readline's word for Ctrl-C and Ctrl-D. */
const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N]`));
}

async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Node leaves a question unanswered for ever where the input ends.
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => {
      reject(new UsageError(fact('question_left')));
    });
  });
  try {
    const answered = lines.question(
      `${question.split('\n').map(painted).join('\n')} `,
      signal === undefined ? {} : { signal },
    );
    return (await Promise.race([answered, ended])).trim();
  } catch (error) {
    if (signal?.aborted === true || !isAborted(error)) throw error;
    throw new UsageError(fact('question_left'));
  } finally {
    lines.close();
  }
}

/** Prints a line below the ^C that a terminal shows. */
export function noteInterruption({ note }: Terminal, line: string): void {
  note('');
  note(line);
}

/** Prints a result: as JSON for programs, else its lines. */
export function printResult({ out }: Terminal, json: boolean, value: unknown, lines: () => readonly string[]): void {
  for (const line of json ? [JSON.stringify(value)] : lines()) out(line);
}

/** Text of ours, with the commands in it as they are to be typed here. A folder may have our name, too: what follows a command is none. */
export function asTyped(text: string, { command = 'touchstone' }: Pick<Terminal, 'command'>): string {
  return text.replaceAll(/(?<![\w./-]|touchstone [a-z-]+ )touchstone (?=[a-z]+\b|--)/g, `${command} `);
}

/** An iteration as people count. */
export function iterationName(iteration: number): string {
  return `#${iteration + 1}`;
}

/** A status in the colour that people expect. */
export function paintStatus(status: string): string {
  if (status === 'passed') return colours.green(status);
  return status === 'not_applicable' || status === 'unavailable' ? colours.dim(status) : colours.red(status);
}
