import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLI_DOCS, drawCliDocs } from '../../scripts/draw-cli-docs.ts';
import { OPTIONS } from '../../src/cli/options.ts';
import { COMMANDS } from '../../src/cli/program.ts';

const committed = readFileSync(CLI_DOCS, 'utf8');

it('docs/cli.md is what the program knows; "npm run docs" draws it', () => {
  expect(committed).toBe(drawCliDocs(COMMANDS, OPTIONS));
});

it('a changed option, or a command that is gone, is noticed', () => {
  const renamed = { ...OPTIONS, task: { ...OPTIONS.task, flags: '-t, --only <ids>' } };
  expect(drawCliDocs(COMMANDS, renamed)).not.toBe(committed);
  expect(drawCliDocs(COMMANDS.slice(1), OPTIONS)).not.toBe(committed);
});

it('an option that is not in the table is an error', () => {
  expect(() => drawCliDocs(COMMANDS, {})).toThrow('an option that is not in the table');
});
