import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Inner folders that others enter by one file. The import lint has no look-ahead to say "any file but this one". */
const DOORS: Readonly<Record<string, string>> = {
  'src/contract/picture': 'perceptual-hash.ts',
  'src/episode/stress': 'arm.ts',
  'src/run/record': 'record-suite.ts',
  'src/surface/dom': 'dom.ts',
  'src/surface/library': 'libraries.ts',
  'src/surface/nac3': 'nac3.ts',
  'src/world/thread': 'world-thread.ts',
};

/** Imports from outside such a folder that pass by its door, as `importer → imported`. */
function pastDoors(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, source]) =>
    [...source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].flatMap(([, specifier = '']) => {
      const imported = path.join(path.dirname(file), specifier);
      const folder = Object.keys(DOORS).find((each) => imported.startsWith(`${each}/`) && !file.startsWith(`${each}/`));
      if (folder === undefined || imported === `${folder}/${DOORS[folder]}`) return [];
      return [`${file} → ${imported}`];
    }),
  );
}

test('each of these folders is entered by its door', () => {
  const files = globSync(['src/**/*.ts'], { cwd: ROOT, ignore: ['src/report/pages/**'] });
  const sources = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
  expect(pastDoors(sources)).toEqual([]);
});

test('an import past a door is found', () => {
  const source = "import { a } from '../surface/dom/dom.ts';\nimport { b } from '../surface/dom/matches.ts';\n";
  const inside = "import { b } from './matches.ts';\nimport { c } from '../page/view.ts';\n";
  const sources = new Map([
    ['src/episode/a.ts', source],
    ['src/surface/dom/dom.ts', inside],
  ]);
  expect(pastDoors(sources)).toEqual(['src/episode/a.ts → src/surface/dom/matches.ts']);
});
