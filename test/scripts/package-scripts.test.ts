import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** Names the scripts that start Touchstone in a clone without installing what is missing. */
const unprepared = (all: Readonly<Record<string, string>>): string[] =>
  Object.keys(all).filter(
    (name) => all[name]?.includes('src/cli/main.ts') === true && !all[name].startsWith('node scripts/setup.mjs'),
  );

test('every script that starts Touchstone first installs what is missing, and one that does not is found', () => {
  expect(unprepared(scripts)).toEqual([]);
  expect(unprepared({ ...scripts, touchstone: 'tsx src/cli/main.ts' })).toEqual(['touchstone']);
});
