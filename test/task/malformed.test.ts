import { expect, it } from 'vitest';
import { KIND_NAMES } from './kind-names.ts';
import { fixtureNames, problemsIn } from './problems-in.ts';

it.each(['contract', 'syntax', 'task'])('each malformed %s is refused with place, path and remedy', async (of) => {
  const names = await fixtureNames(`malformed/${of}`);
  const problems = await Promise.all(names.map((name) => problemsIn(`malformed/${of}/${name}`)));
  // A file that was accepted would have no lines.
  expect(names.filter((_, at) => problems[at]?.length === 0)).toEqual([]);
  const lines = problems.flat().map((line) => `${line.replace(KIND_NAMES, '<every kind>')}\n`);
  await expect(lines.join('')).toMatchFileSnapshot(`fixtures/malformed-${of}.golden.txt`);
});
