import { expect, test } from 'vitest';
import type { ShownElement } from '../../../src/surface/nac3/shown.ts';
import { nacSight } from '../../../src/surface/nac3/sight-of.ts';

// So many that a search through all of them for each does not end.
const FIELDS = 200_000;

function field(id: string): ShownElement {
  return { nac_id: id, role: 'field', label: id };
}

function option(id: string): ShownElement {
  return { nac_id: id, role: 'option', label: id };
}

function sightOf(elements: ShownElement[]) {
  return nacSight({ plugins: [{ plugin: 'p', elements }] }).elements;
}

test('fields have their own options, in the order of the page, however many fields', () => {
  const fields = Array.from({ length: FIELDS }, (_, at) => field(`f${at}`));
  const options = ['f7.b', 'f7.a', 'f77.c', 'f7', 'f70'].map(option);
  const found = sightOf([...fields, ...options]);
  expect(found[7]).toMatchObject({ role: 'combobox', name: 'f7', options: ['f7.b', 'f7.a'] });
  expect(found[77]?.options).toEqual(['f77.c']);
  expect(found[70]?.options).toEqual([]);
});

test('of the options of a field no more than a thousand are listed, so that many fields of one id do not fill the memory', () => {
  const options = Array.from({ length: 10_000 }, (_, at) => option(`f.${at}`));
  const found = sightOf([...Array.from({ length: 10_000 }, () => field('f')), ...options]).slice(0, 10_000);
  expect(found.every((each) => each.options.length === 1_000)).toBe(true);
});
