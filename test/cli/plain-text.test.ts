import { expect, test } from 'vitest';
import { forReader } from '../../src/cli/plain-text.ts';
import { codeSpan } from '../../src/report/code-span.ts';
import { markdownTable } from '../../src/report/markdown-table.ts';

const TABLE = markdownTable(
  [
    { head: 'task', left: true, cell: ({ task }: { task: string }) => codeSpan(task) },
    { head: 'passed', cell: ({ passed }: { passed: string }) => passed },
  ],
  [
    { task: 'basics/a', passed: '1 of 2' },
    { task: 'basics/with|pipe', passed: '10 of 20' },
  ],
);
const MARKDOWN = ['# What changed', '', `From ${codeSpan('one')} to ${codeSpan('`two`')}.`, '', ...TABLE, ''].join(
  '\n',
);

test('for a file or a pipe Markdown stays as it is', () => {
  expect(forReader(MARKDOWN, {})).toBe(MARKDOWN);
});

test('a terminal gets columns, and no marks of Markdown', () => {
  expect(forReader(MARKDOWN, { columns: 80 }).split('\n')).toEqual([
    'What changed',
    '',
    'From one to `two`.',
    '',
    'task                passed',
    'basics/a            1 of 2',
    'basics/with|pipe  10 of 20',
    '',
  ]);
});

test('a table that is too wide has cells of several lines, and no bars', () => {
  const lines = forReader(MARKDOWN, { columns: 28 }).split('\n');
  expect(lines.join('\n')).not.toMatch(/^\|| \| |---/m);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(28);
});

test('commands are written as they are typed here, and no control character is obeyed', () => {
  const text = forReader('Run `touchstone run basics` \u001b[2J', { columns: 80, command: 'npx touchstone' });
  expect(text).toBe('Run npx touchstone run basics ␛[2J');
});
