import { type Printed, type Terminal, terminalOn } from '../../src/cli/terminal.ts';

/** A stream that keeps its output and lines; with columns it is a terminal, without a pipe. */
function stream(columns: number | null): Printed & { written: () => string; lines: () => string[] } {
  let written = '';
  return {
    isTTY: columns !== null,
    columns: columns ?? 0,
    rows: 24,
    write: (text: string) => {
      written += text;
      return true;
    },
    written: () => written,
    lines: () => written.replace(/\n$/, '').split('\n'),
  };
}

/** A terminal of this many columns, or two pipes, and the text on it. */
export function terminalOf(columns: number | null): {
  terminal: Terminal;
  out: () => string[];
  err: () => string[];
  written: () => { out: string; err: string };
} {
  const [out, err] = [stream(columns), stream(columns)];
  return {
    terminal: terminalOn(out, err, false),
    out: () => out.lines(),
    err: () => err.lines(),
    written: () => ({ out: out.written(), err: err.written() }),
  };
}
