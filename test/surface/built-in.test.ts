import path from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { surfaceGloss } from '../../src/report/glossary.ts';
import { BUILT_IN } from '../../src/surface/built-in.ts';
import { OWN } from '../../src/surface/surface-ids.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { injectableOf } from '../../src/plan/possible-pair.ts';
import { traitsOf } from '../../src/surface/traits.ts';

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

test('the surface of self-driving agents is explained in reports, too', () => {
  expect(surfaceGloss(OWN)).not.toBeNull();
});

test('an unknown surface has neither', () => {
  expect(surfaceGloss('smell')).toBeNull();
  expect(rowsOf('smell')).toEqual([]);
});

const entrants = await Entrants.load();

test.each([
  ['aria', { in_process: true, tools_of: 'page_user', takes_script: false, shortcuts: [], lacks_steps: ['click_at'] }],
  ['pixels', { lacks_steps: ['upload'] }],
  ['nac3', { in_process: true, tools_of: 'page_user', shortcuts: ['click_by_verb', 'invoke', 'utter'] }],
  ['nac3', { lacks_steps: ['click_at', 'double_click', 'right_click', 'hover', 'drag', 'upload'] }],
  ['nac3:one-shot', { interaction: 'one-shot', shortcuts: ['click_by_verb', 'invoke', 'utter'] }],
  ['app-mcp', { in_process: true, tools_of: 'app_server', shortcuts: 'all' }],
  ['webmcp', { in_process: true, tools_of: 'app_pages', shortcuts: 'all' }],
  ['playwright', { in_process: false, tools_of: 'page_user', takes_script: true, shortcuts: null }],
  ['playwright-mcp', { in_process: false, tools_of: 'page_user', takes_script: true, shortcuts: null }],
  ['own', { in_process: false, tools_of: 'nobody', takes_script: true, shortcuts: null }],
])('the traits of %s', (name, traits) => {
  expect(traitsOf(entrants.surface(name))).toMatchObject(traits);
});

test.each([
  ['aria', { drivesItself: false, showsPages: true, hasServer: false }],
  ['app-mcp', { drivesItself: false, showsPages: false, hasServer: false }],
  ['playwright-mcp', { drivesItself: false, showsPages: true, hasServer: true }],
  ['own', { drivesItself: true, showsPages: true, hasServer: false }],
])('the traits of %s decide where a fault can be injected', (name, injectable) => {
  expect(injectableOf(traitsOf(entrants.surface(name)))).toEqual(injectable);
});
