import { expect, test } from 'vitest';
import { asTyped } from '../../src/cli/terminal.ts';

test.each([
  ['see "touchstone verify bundles/one"', 'see "npx touchstone verify bundles/one"'],
  ['see "touchstone --help"', 'see "npx touchstone --help"'],
  ['touchstone qualify touchstone --task book', 'npx touchstone qualify touchstone --task book'],
  ['touchstone run touchstone book', 'npx touchstone run touchstone book'],
  ['touchstone verify a, or touchstone report a', 'npx touchstone verify a, or npx touchstone report a'],
  ['./bin/touchstone run', './bin/touchstone run'],
])('%s is typed as %s', (text, typed) => {
  expect(asTyped(text, { command: 'npx touchstone' })).toBe(typed);
});
