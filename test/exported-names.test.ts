import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { exportedTwice } from './exported-names.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Words of rows that a layer below has too, with the same meaning; `test/bundle/row-words.test.ts` holds them equal. */
const WORDS_OF_ROWS = ['BrowserIdentity', 'BrowserKind', 'Decider', 'Isolation', 'ProcessIsolation'];

test('a name is exported by one file of src', () => {
  const files = globSync(['src/**/*.ts'], { cwd: ROOT, ignore: ['src/report/pages/**'] });
  const sources = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
  expect(sources.size).toBeGreaterThan(500);
  const twice = exportedTwice(sources);
  expect([...twice.keys()].toSorted()).toEqual(WORDS_OF_ROWS);
});

test('a name that two files export is found, whatever it is the name of', () => {
  const sources = new Map([
    ['src/a.ts', 'export const thing = 1;\nexport interface Kind {}\nexport async function go() {}\n'],
    ['src/b.ts', 'export function thing() {}\nexport type Kind = 1;\n// export async function go() {}\n'],
  ]);
  expect(exportedTwice(sources)).toEqual(
    new Map([
      ['thing', ['src/a.ts', 'src/b.ts']],
      ['Kind', ['src/a.ts', 'src/b.ts']],
    ]),
  );
});

test('a schema and its type are one name', () => {
  const sources = new Map([
    ['src/a.ts', 'export const Kind = z.string();\nexport type Kind = z.infer<typeof Kind>;\n'],
  ]);
  expect(exportedTwice(sources)).toEqual(new Map());
});
