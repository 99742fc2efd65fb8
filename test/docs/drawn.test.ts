import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { drawAttacks, readAttacks } from '../../scripts/draw-attacks.ts';
import { drawCliDocs } from '../../scripts/draw-cli-docs.ts';
import { drawFaultKinds } from '../../scripts/draw-fault-kinds.ts';
import { drawTaskReference } from '../../scripts/draw-task-reference.ts';
import { drawWebVoyager } from '../../scripts/draw-webvoyager.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { builtInSuites } from '../../src/cli/suites.ts';
import { packageRoot } from '../../src/plan/package-root.ts';

const read = (name: string): string => readFileSync(path.join(packageRoot(), 'docs', name), 'utf8');

test.each<[page: string, draw: (page: string) => string | Promise<string>, edit: [from: RegExp, to: string]]>([
  ['cli.md', () => drawCliDocs(COMMANDS), [/^.*--max-steps.*\n/m, '']],
  ['task-reference.md', drawTaskReference, [/^\| `startUrl` .*\n/m, '']],
  ['attacks.md', (page) => drawAttacks(page, readAttacks()), [/^\| .*\]\(\.\.\/test\/.*\n/m, '']],
  ['stress.md', drawFaultKinds, [/^\| `drop` .*\n/m, '']],
  ['benchmarks/webvoyager.md', drawWebVoyager, [/\| 2 \/ 2 \(/, '| 3 / 2 (']],
])('"npm run docs" restores docs/%s after an edit by hand', async (page, draw, [from, to]) => {
  const committed = read(page);
  const edited = committed.replace(from, to);
  expect(edited).not.toBe(committed);
  expect(await draw(edited)).toBe(committed);
});

test('every row of the tables of fields has a meaning, and a row without one is found', () => {
  const emptyCells = (page: string) => page.match(/^\|.*\| +\|.*$/gm) ?? [];
  const page = read('task-reference.md');
  expect(emptyCells(page)).toEqual([]);
  expect(emptyCells(page.replace(/\| for your own use \|/, '|  |'))).toEqual(['| `tags` | none |  |']);
});

test('a removed command changes the page of commands, and an option without flags and help cannot be drawn', () => {
  expect(drawCliDocs(COMMANDS.slice(1))).not.toBe(read('cli.md'));
  const options = z.object({ task: z.string() });
  expect(() => drawCliDocs(COMMANDS.map((command) => ({ ...command, options })))).toThrow('expected object');
});

test('every built-in suite has results', () => {
  const without = builtInSuites().filter((suite) => !read('results.md').includes(` | ${suite} | `));
  expect(without).toEqual([]);
});
