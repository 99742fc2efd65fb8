import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/program.ts';
import { tableOf } from '../../src/cli/terminal.ts';
import { withinColumns } from '../../src/cli/within-columns.ts';
import { terminalOf } from './terminal-of.ts';

const BUNDLE = 'docs/bundles/stress.zip';

function broken(line: string, columns = 40): string[] {
  return withinColumns(line, columns, 'npx touchstone').split('\n');
}

describe('a line that is too wide for a terminal', () => {
  test('goes on below the text that stands beside its label', () => {
    expect(broken('consistent  all files fit together; this does not show who made them')).toEqual([
      'consistent  all files fit together; this',
      '            does not show who made them',
    ]);
  });

  test('goes on below the column with room where its last has none', () => {
    expect(broken('1/9  read  failed  it was not done on the page')).toEqual([
      '1/9  read  failed  it was not done on',
      '           the page',
    ]);
  });

  test('keeps its indent and hangs below the text of an item', () => {
    expect(broken('  to lift it: raise --iterations to as many as there must be')).toEqual([
      '  to lift it: raise --iterations to as',
      '  many as there must be',
    ]);
    expect(broken('- mode control tests the harness itself, no agent')).toEqual([
      '- mode control tests the harness itself,',
      '  no agent',
    ]);
  });

  test('keeps a command whole, so that it can be copied', () => {
    expect(broken('no proof yet of read: npx touchstone qualify ./a-suite --task read')).toEqual([
      'no proof yet of read:',
      'npx touchstone qualify ./a-suite --task read',
    ]);
    expect(broken('not finished: "npx touchstone run --resume some/bundle"; it runs the rest')).toEqual([
      'not finished:',
      '"npx touchstone run --resume some/bundle";',
      'it runs the rest',
    ]);
  });

  test('keeps a path whole that is wider than the terminal', () => {
    const path = `/home/${'a'.repeat(40)}/chrome`;
    expect(broken(`ok  Chromium  ${path}, found`, 40)).toContainEqual(expect.stringContaining(path));
  });

  test('is measured without its colours', () => {
    const painted = `\u001b[31m${'word '.repeat(7)}end.\u001b[39m`;
    expect(broken(painted)).toEqual([painted]);
  });
});

test('a line that fits is left as it is, and so is a value for programs', () => {
  expect(broken('a  b')).toEqual(['a  b']);
  const json = JSON.stringify({ text: 'word '.repeat(20) });
  expect(broken(json)).toEqual([json]);
});

describe('a Markdown table on a terminal', () => {
  const text = ['| entrant | long head |', '|---|---:|', '| `x y` a-long-name | 1 |', '', 'after'].join('\n');

  test('has its columns below each other', () => {
    expect(broken(text)).toEqual([
      '| entrant           | long head |',
      '| ----------------- | --------: |',
      '| `x y` a-long-name |         1 |',
      '',
      'after',
    ]);
  });

  test('has cells of several lines where it is too wide, broken at spaces and at hyphens of words', () => {
    expect(broken(text, 27)).toEqual([
      '| entrant     | long head |',
      '| ----------- | --------: |',
      '| `x y` a-    |         1 |',
      '| long-name   |           |',
      '',
      'after',
    ]);
  });

  test('may have a hundred thousand words and more', () => {
    const rows = Array.from({ length: 20_000 }, () => `| ${'word '.repeat(10).trim()} | 1 |`);
    const drawn = broken(['| words | n |', '|---|---:|', ...rows].join('\n'));
    expect(drawn.at(-1)).toMatch(/^\| (?:word )+ *\| +\|$/);
  });

  test('stays as it is where no cell can be broken any further', () => {
    expect(withinColumns(text, 17, 'x').split('\n')).toEqual(text.split('\n'));
  });
});

test('a table that is too wide for a terminal names each figure beside its line', () => {
  const columns = [
    { head: 'task', cell: ({ name }: { name: string }) => name },
    { head: 'near-misses', cell: () => '1/1' },
    { head: 'a rather long head', cell: () => null },
  ];
  expect(tableOf(columns, [{ name: 'read' }], { columns: 20 })).toEqual(['read  near-misses: 1/1']);
  expect(tableOf(columns, [{ name: 'read' }])).toEqual([
    expect.stringContaining('task  near-misses  a rather long head'),
    expect.stringMatching(/^read {2}1\/1 +–$/),
  ]);
});

describe('verify', () => {
  test('says what holds in lines that fit the terminal', async () => {
    const { terminal, out } = terminalOf(80);
    expect(await main(['verify', BUNDLE], terminal)).toBe(0);
    expect(out().join('\n')).toMatch(/^consistent {2}all files fit together;.*\n {12}somebody made all of them anew$/m);
    expect(out().filter((line) => line.length > 80)).toEqual([]);
  });

  test('says it in one line where a script reads it', async () => {
    const { terminal, out } = terminalOf(null);
    expect(await main(['verify', BUNDLE], terminal)).toBe(0);
    expect(out()).toContainEqual(expect.stringMatching(/^consistent {2}all files .* anew$/));
  });
});
