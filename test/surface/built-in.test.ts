import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { surfaceGloss } from '../../src/report/glossary.ts';
import { BUILT_IN } from '../../src/surface/built-in.ts';
import { OWN } from '../../src/surface/own.ts';

const DOCS = 'docs/surfaces-and-agents.md';
const docs = readFileSync(path.resolve(import.meta.dirname, '../..', DOCS), 'utf8');

/** Headings that name a surface, as `## The surface `aria`` does. */
function headingsOf(id: string): string[] {
  return docs.split('\n').filter((line) => line.startsWith('## ') && line.includes(`\`${id}\``));
}

describe.each(BUILT_IN.map(({ id }) => id))('the surface %s', (id) => {
  test('is explained in reports', () => {
    expect(surfaceGloss(id), `SURFACES in src/report/glossary.ts has no line about "${id}"`).not.toBeNull();
  });

  test('has a section in the document on surfaces', () => {
    expect(headingsOf(id), `one heading of ${DOCS} has to name "${id}"`).toHaveLength(1);
  });
});

test('the surface of agents that drive the browser themselves is explained in reports, too', () => {
  expect(surfaceGloss(OWN)).not.toBeNull();
});

test('a surface that nobody has told of is found to lack both', () => {
  expect(surfaceGloss('smell')).toBeNull();
  expect(headingsOf('smell')).toEqual([]);
});
