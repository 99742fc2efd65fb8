import { expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { injectableOf } from '../../src/plan/injectable.ts';
import { traitsOf } from '../../src/surface/traits.ts';

const entrants = await Entrants.load();

test.each([
  ['aria', { in_process: true, tools_of: 'page_user', takes_script: false, shortcuts: [] }],
  ['nac3', { in_process: true, tools_of: 'page_user', shortcuts: ['click_by_verb', 'invoke', 'utter'] }],
  ['nac3:one-shot', { interaction: 'one-shot', shortcuts: ['click_by_verb', 'invoke', 'utter'] }],
  ['app-mcp', { in_process: true, tools_of: 'app_server', shortcuts: 'all' }],
  ['webmcp', { in_process: true, tools_of: 'app_pages', shortcuts: 'all' }],
  ['playwright', { in_process: false, tools_of: 'page_user', takes_script: true, shortcuts: null }],
  ['playwright-mcp', { in_process: false, tools_of: 'page_user', takes_script: true, shortcuts: null }],
  ['own', { in_process: false, tools_of: 'nobody', takes_script: true, shortcuts: null }],
])('%s is what it says of itself', (name, traits) => {
  expect(traitsOf(entrants.surface(name))).toMatchObject(traits);
});

test.each([
  ['aria', { drivesItself: false, showsPages: true, hasServer: false }],
  ['app-mcp', { drivesItself: false, showsPages: false, hasServer: false }],
  ['playwright-mcp', { drivesItself: false, showsPages: true, hasServer: true }],
  ['own', { drivesItself: true, showsPages: true, hasServer: false }],
])('where a fault can be injected follows from the traits of %s', (name, injectable) => {
  expect(injectableOf(traitsOf(entrants.surface(name)))).toEqual(injectable);
});
