import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CLI_DOCS, drawCliDocs } from '../../scripts/draw-cli-docs.ts';
import { COMMANDS } from '../../src/cli/commands.ts';

const committed = readFileSync(CLI_DOCS, 'utf8');

it('docs/cli.md is what the program knows; "npm run docs" draws it', () => {
  expect(committed).toBe(drawCliDocs(COMMANDS));
});

it('a changed option, or a command that is gone, is noticed', () => {
  const options = z.object({ task: z.string().meta({ flags: '-t, --only <ids>', help: 'only these' }) });
  expect(drawCliDocs(COMMANDS.map((command) => ({ ...command, options })))).not.toBe(committed);
  expect(drawCliDocs(COMMANDS.slice(1))).not.toBe(committed);
});

it('an option without flags and help is an error', () => {
  const options = z.object({ task: z.string() });
  expect(() => drawCliDocs(COMMANDS.map((command) => ({ ...command, options })))).toThrow('expected object');
});
