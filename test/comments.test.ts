import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const INDIRECT = /^\s*(?:\/\*\*|\*|\/\/) (?:What|Of|How) /;

/** Comments that have to be read twice, by file and line. */
function indirectComments(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (INDIRECT.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

test('comments begin with a verb or a noun, and not with What, Of or How', () => {
  const files = globSync(['src/**/*.ts'], { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  expect(indirectComments(new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')])))).toEqual(
    [],
  );
});

test('a comment that does is found, wherever it stands', () => {
  const source = [
    '/** What a row says. */',
    'const how = 1; // How it is.',
    '/**',
    ' * Of a row.',
    ' */',
    '  // How it is.',
    '/** The row: What it says. */',
  ].join('\n');
  expect(indirectComments(new Map([['a.ts', source]]))).toEqual(['a.ts:1', 'a.ts:4', 'a.ts:6']);
});
