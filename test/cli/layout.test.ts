import { describe, expect, test } from 'vitest';
import { inColumns, withinColumns } from '../../src/cli/layout.ts';
import { main } from '../../src/cli/program.ts';
import { forReader, tableOf } from '../../src/cli/terminal-sections.ts';
import { code, section, text } from '../../src/report/document.ts';
import { terminalOf } from './terminal-of.ts';

const BUNDLE = 'docs/bundles/stress.zip';

function broken(line: string, columns = 40): string[] {
  return withinColumns(line, columns, 'npx touchstone').split('\n');
}

describe('a line that is too wide for a terminal', () => {
  test.each([
    ['next to its label', 'consistent  all files fit together; this does not show', 12],
    ['of an item', '- mode control tests the harness itself, no agent', 2],
    ['of the column with room', '1/9  read  failed  it was not done on the page', 11],
  ])('goes on below the text %s', (_, line, indent) => {
    const [, second = ''] = broken(line);
    expect(/^ */.exec(second)?.[0]).toHaveLength(indent);
  });

  test('keeps a command and a path whole, so that they can be copied', () => {
    const commands = broken('not finished: "npx touchstone run --resume some/bundle"; it runs the rest');
    expect(commands).toContainEqual(expect.stringContaining('"npx touchstone run --resume some/bundle"'));
    const path = `/home/${'a'.repeat(40)}/chrome`;
    expect(broken(`ok  Chromium  ${path}, found`)).toContainEqual(expect.stringContaining(path));
  });

  test('is left whole if it is JSON, or fits without its colours', () => {
    const json = JSON.stringify({ text: 'word '.repeat(20) });
    expect(broken(json)).toEqual([json]);
    const painted = `\u001b[31m${'word '.repeat(7)}end.\u001b[39m`;
    expect(broken(painted)).toEqual([painted]);
  });
});

test('a table that is too wide names each figure next to its line, and breaks no line of a file', () => {
  const columns = [
    { head: 'task', words: true, text: ({ name }: { name: string }) => name },
    { head: 'near-misses', words: true, text: () => '1/1' },
    { head: 'a rather long head', text: () => null },
  ];
  expect(tableOf(columns, [{ name: 'read' }], { columns: 20 })).toEqual(['read  near-misses:', '      1/1']);
  expect(tableOf(columns, [{ name: 'read' }])).toHaveLength(2);
});

test('columns of a hundred thousand cells are drawn', () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => [at === 0 ? 'word '.repeat(10) : 'word', '1']);
  expect(inColumns(rows, [false, true], 30)?.length).toBeGreaterThan(100_000);
});

test('commands are written for the current folder, and no control character is obeyed', () => {
  const sections = [section('x', 'X', text('Run ', code('touchstone run basics'), ' \u001b[2J'))];
  expect(forReader(sections, { columns: 80, command: 'npx touchstone' })).toContain(
    'Run npx touchstone run basics ␛[2J',
  );
  expect(forReader(sections, {})).toContain('Run `touchstone run basics` ␛[2J');
});

test('verify prints lines that fit the terminal, and each on one line for a script', async () => {
  const narrow = terminalOf(80);
  expect(await main(['verify', BUNDLE], narrow.terminal)).toBe(0);
  expect(narrow.out().filter((line) => line.length > 80)).toEqual([]);
  const piped = terminalOf(null);
  expect(await main(['verify', BUNDLE], piped.terminal)).toBe(0);
  expect(piped.out()).toContainEqual(expect.stringMatching(/^consistent {2}all files .* forged$/));
});
