import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeCommands } from '../../../apps/invoice/api.ts';
import { folded, placesOf, valuesOf } from '../../../src/task/literals.ts';
import { loadSuite } from '../../../src/task/load-suite.ts';

const loaded = await loadSuite('suites/protocols');
const VALUES = new Set(loaded.ok ? loaded.suite.tasks.flatMap(({ task }) => [...valuesOf(task)]) : []);

/** A contract may count the requests that a command makes; the command shows its name. */
const COMMANDS = new Set(describeCommands().map(({ name }) => name));

function valuesIn(texts: readonly string[]): string[] {
  const sought = folded(texts.join('\n\n'));
  return [...VALUES].filter((value) => !COMMANDS.has(value) && placesOf(value, sought).length > 0);
}

function textsUnder(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === name ? leavesOf(each) : textsUnder(name, each)));
}

function leavesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

const DESCRIPTIONS = textsUnder('description', describeCommands());

test('the descriptions of the invoice app’s tools and of their arguments hold no value of a task', () => {
  expect(DESCRIPTIONS.length).toBeGreaterThan(describeCommands().length);
  expect(valuesIn(DESCRIPTIONS)).toEqual([]);
});

test('nor do the labels of its manifest', () => {
  const labels = textsUnder('label_i18n', JSON.parse(readFileSync('apps/invoice/manifest.json', 'utf8')));
  expect(labels.length).toBeGreaterThan(20);
  expect(valuesIn(labels)).toEqual([]);
});

test.each([
  ['the id of an invoice', 'For example INV-0001', 'INV-0001'],
  ['the id of a client', 'for example c-001', 'C-001'],
  ['what is written', 'such as consultoria', 'Consultoría'],
  ['a price', 'A price, as in 250.', '250'],
])('they would be found if they held %s', (_, example, value) => {
  expect(valuesIn([...DESCRIPTIONS, example])).toContain(value);
});
