import { type Markup, markup } from '../src/report/html/markup.ts';

/** Codes that our colours are written with: those that begin something, and those that end it. */
const BEGIN: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
  '36': 'cyan',
};
const END: Readonly<Record<string, readonly string[]>> = {
  '22': ['bold', 'dim'],
  '39': ['red', 'green', 'yellow', 'cyan'],
};

const STYLE = `
body { margin: 0; background: #12171e; color: #e5eaf0; }
pre { display: inline-block; margin: 0; padding: 18px 22px; font: 14px/1.35 "DejaVu Sans Mono", "Liberation Mono", monospace; }
.bold { font-weight: 700; } .dim { color: #98a4b3; } .red { color: #ff8a80; }
.green { color: #7bd88f; } .yellow { color: #f2c55c; } .cyan { color: #7fd1e8; }`;

/** A page that shows lines with our colours as a terminal does. @throws Error where a code is none of ours. */
export function terminalPage(lines: readonly string[]): string {
  const shown = lines.map((line) => markup`${spansOf(line)}\n`);
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>${markup`<pre>${shown}</pre>`.toString()}`;
}

function spansOf(line: string): Markup[] {
  const on = new Set<string>();
  const [first = '', ...coded] = line.split('\u001B[');
  const plain = span(first, on);
  const rest = coded.map((part) => {
    const end = part.indexOf('m');
    turn(part.slice(0, end), on);
    return span(part.slice(end + 1), on);
  });
  return [plain, ...rest];
}

function span(text: string, on: ReadonlySet<string>): Markup {
  return text === '' ? markup`` : markup`<span class="${[...on].join(' ')}">${text}</span>`;
}

function turn(code: string, on: Set<string>): void {
  const [begun, ended] = [BEGIN[code], END[code]];
  if (begun === undefined && ended === undefined) throw new Error(`no colour of ours has the code ${code}`);
  if (begun !== undefined) on.add(begun);
  for (const name of ended ?? []) on.delete(name);
}
