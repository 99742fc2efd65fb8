import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { surfaceGloss } from '../../src/report/glossary.ts';
import { BUILT_IN } from '../../src/surface/built-in.ts';
import { OWN } from '../../src/surface/own.ts';

const DOCS = 'docs/surfaces.md';
const docs = readFileSync(path.resolve(import.meta.dirname, '../..', DOCS), 'utf8');

/** Rows of the first table that name a surface in their first cell. */
function rowsOf(id: string): string[] {
  const [table = ''] = docs.split('\n## ');
  return table.split('\n').filter((line) => line.split('|')[1]?.includes(`\`${id}\``) === true);
}

describe.each(BUILT_IN.map(({ id }) => id))('the surface %s', (id) => {
  test('is explained in reports', () => {
    expect(surfaceGloss(id), `SURFACES in src/report/glossary.ts has no line about "${id}"`).not.toBeNull();
  });

  test('is in the table of surfaces', () => {
    expect(rowsOf(id), `one row of ${DOCS} must name "${id}"`).toHaveLength(1);
  });
});

test('the surface of agents that drive the browser themselves is explained in reports, too', () => {
  expect(surfaceGloss(OWN)).not.toBeNull();
});

test('an unknown surface has neither', () => {
  expect(surfaceGloss('smell')).toBeNull();
  expect(rowsOf('smell')).toEqual([]);
});
