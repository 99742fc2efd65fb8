import { fact } from '../messages/messages.ts';
import { createInterface } from 'node:readline/promises';
import { colours, painted } from './colours.ts';
import { EXIT, type ExitCode, knownFailure, UsageError } from './exit-code.ts';
import { withinColumns, widthOf } from './layout.ts';

interface Drawable {
  write(text: string): unknown;
  readonly columns: number;
  readonly rows: number;
}

/** Some terminals do not report their size, or report 0. */
function sizeOf({ columns, rows }: Pick<Drawable, 'columns' | 'rows'>): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** The last lines of a terminal, which are redrawn in place; output goes above them. */
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

  /** @param lines returns the current lines; none erases the region */
  show(lines: () => readonly string[]): void {
    this.#lines = lines;
    this.#terminal.write(this.#erasing());
    this.#draw();
  }

  /** @param print writes whole lines to this terminal, on any stream */
  above(print: () => void): void {
    if (this.#shown.length === 0) {
      print();
      return;
    }
    this.#terminal.write(this.#erasing());
    print();
    // The lines may have changed with the output, such as a count of episodes.
    this.#draw();
  }

  #draw(): void {
    this.#shown = this.#lines().map(painted);
    this.#terminal.write(this.#shown.map((line) => `${line}\n`).join(''));
  }

  /** A terminal that has become narrower shows more lines. */
  #erasing(): string {
    const { columns } = this.size;
    const heights = this.#shown.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const height = heights.reduce((sum, each) => sum + each, 0);
    return height === 0 ? '' : `\u001b[${height}A\r\u001b[J`;
  }
}

/**
 * Prints for a command. Control characters in text become visible, line breaks included.
 */
export interface Terminal {
  out: (line: string) => void;
  /** Prints one line to standard error, so that pipes get only the result. */
  note: (line: string) => void;
  /** Asks a yes-or-no question; absent without a terminal. */
  confirm?(question: string): Promise<boolean>;
  /** Asks a question; an empty answer chooses the default, and the signal withdraws it. Absent without a terminal. */
  ask?: (question: string, signal?: AbortSignal) => Promise<string>;
  /** The words that start the program here; `touchstone` by default. */
  command?: string;
  /** Width of the terminal that `out` prints on; absent for a file or a pipe. */
  columns?: number;
  /** Absent if lines cannot be redrawn. */
  screen?: Pick<Region, 'show' | 'size'>;
}

/** A stream that may end at a terminal. */
export type Printed = Drawable & { readonly isTTY?: boolean };

const COMMAND = import.meta.filename.endsWith('.ts') ? 'npm run touchstone --' : 'npx touchstone';

/**
 * Prints on two streams. Lines are broken only on a terminal.
 * @param canDraw whether lines of `err` can be redrawn
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
    command: COMMAND,
  };
}

export const terminal: Terminal = {
  ...terminalOn(process.stdout, process.stderr, process.stderr.isTTY && process.env['TERM'] !== 'dumb'),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm, ask } : {}),
};

/** Recognizes Ctrl-C and Ctrl-D. */
const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N]`));
}

async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // In Node, a question never settles when the input ends.
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

/** Prints an error with its remedy, or the trace of a bug of ours, and returns the exit code. */
export function noteFailure(error: unknown, on: Terminal): ExitCode {
  const known = knownFailure(error);
  if (known === null) {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const line of ['this is a bug in Touchstone, please report it:', ...trace.split('\n')]) on.note(line);
    return EXIT.infrastructure;
  }
  const remedy = asTyped(known.remedy, on);
  for (const line of `${colours.red('error:')} ${known.message}\n  ${colours.dim('remedy:')} ${remedy}`.split('\n'))
    on.note(line);
  return known.exit;
}

export function printResult({ out }: Terminal, json: boolean, value: unknown, lines: () => readonly string[]): void {
  for (const line of json ? [JSON.stringify(value)] : lines()) out(line);
}

/** Replaces "touchstone" in commands with the words that start it here. A folder after a command may have that name, too. */
export function asTyped(text: string, { command = 'touchstone' }: Pick<Terminal, 'command'>): string {
  return text.replaceAll(/(?<![\w./-]|touchstone [a-z-]+ )touchstone (?=[a-z]+\b|--)/g, `${command} `);
}

export function iterationName(iteration: number): string {
  return `#${iteration + 1}`;
}

export function paintStatus(status: string): string {
  if (status === 'passed') return colours.green(status);
  return status === 'not_applicable' || status === 'unavailable' ? colours.dim(status) : colours.red(status);
}
