import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { committedBundles, drawResults, packedBundle, RESULTS_DOCS } from '../../scripts/draw-bundles.ts';
import { builtInSuites } from '../../src/cli/suites.ts';
import { touchstone } from '../cli/touchstone.ts';

const committed = readFileSync(RESULTS_DOCS, 'utf8');

test('the tables of the results are what the committed bundles say; "npm run docs" draws them', async () => {
  expect(await drawResults(committed)).toBe(committed);
});

test('a figure that was changed by hand is noticed', async () => {
  const changed = committed.replace('| 4 of 4 (', '| 5 of 4 (');
  expect(changed).not.toBe(committed);
  expect(await drawResults(changed)).toBe(committed);
});

test('every built-in suite has a bundle', () => {
  for (const suite of builtInSuites()) expect(committed).toContain(`\nSuite \`${suite}\`, `);
});

test.each(committedBundles())('every verdict of the bundle %s holds when it is judged again', async (name) => {
  const { exit, out } = await touchstone('rejudge', packedBundle(name));
  expect(out).toMatch(/^(\d+) episodes judged again, \1 agree\n$/);
  expect(exit).toBe(0);
});
