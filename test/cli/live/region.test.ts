import { expect, test } from 'vitest';
import { Region } from '../../../src/cli/live/region.ts';

/** A terminal as far as a region uses one: it wraps, goes up, and erases to its end. */
class FakeTerminal {
  columns = 20;
  rows = 10;
  #text = '';

  write(text: string): boolean {
    this.#text += text;
    return true;
  }

  /** Lines that a terminal of this width shows. */
  get lines(): string[] {
    let lines: string[] = [''];
    let row = 0;
    for (const [piece] of this.#text.replaceAll('\u001b', '~').matchAll(/~\[\d+A|~\[J|[\r\n]|[^~\r\n]+/g)) {
      if (piece.endsWith('A')) row -= Number(piece.slice(2, -1));
      else if (piece === '~[J') lines = [...lines.slice(0, row), ''];
      else if (piece === '\n') lines[(row += 1)] ??= '';
      else if (piece !== '\r') {
        for (let at = 0; at < piece.length; at += this.columns) {
          if (at > 0) lines[(row += 1)] ??= '';
          lines[row] = piece.slice(at, at + this.columns);
        }
      }
    }
    return lines;
  }
}

test('what is shown takes the place of what was', () => {
  const terminal = new FakeTerminal();
  const region = new Region(terminal);
  region.show(() => ['one', 'two', 'three']);
  region.show(() => ['four']);
  expect(terminal.lines).toEqual(['four', '']);
  region.show(() => []);
  expect(terminal.lines).toEqual(['']);
});

test('what is printed meanwhile stays above it', () => {
  const terminal = new FakeTerminal();
  const region = new Region(terminal);
  region.show(() => ['52/240']);
  region.above(() => terminal.write('a line\n'));
  region.above(() => terminal.write('another\n'));
  region.show(() => ['54/240']);
  expect(terminal.lines).toEqual(['a line', 'another', '54/240', '']);
});

test('what is printed is counted at once in what stands below it', () => {
  const terminal = new FakeTerminal();
  const region = new Region(terminal);
  let done = 1;
  region.show(() => [`${done}/16`]);
  done = 2;
  region.above(() => terminal.write('2/16 passed\n'));
  expect(terminal.lines).toEqual(['2/16 passed', '2/16', '']);
});

test('lines that broke as the terminal became narrower are erased whole', () => {
  const terminal = new FakeTerminal();
  const region = new Region(terminal);
  terminal.write('before\n');
  region.show(() => ['abcdefghijklmnopqrs']);
  terminal.columns = 10;
  region.show(() => ['narrow']);
  expect(terminal.lines).toEqual(['before', 'narrow', '']);
});

test('a terminal that does not tell its size has 80 columns', () => {
  expect(new Region({ write: () => true, columns: 0, rows: 0 }).size).toEqual({ columns: 80, rows: 24 });
});
