import { expect, test } from 'vitest';
import { capturedFrames } from '../../../src/contract/dom/document.ts';
import { serialise } from '../../../src/surface/dom/serialise.ts';
import { sightOf } from '../../../src/surface/dom/sight-of.ts';
import { firstOf } from '../../contract/dom/find.ts';
import { tinySnapshot, type TinyNode } from '../../contract/dom/tiny-snapshot.ts';

// So large that what is read once takes a moment, and what is read once for each element does not end.
const MANY = 200_000;
const FIELDS = 20_000;

function sightOfPage(children: TinyNode[]) {
  const main = tinySnapshot({ nodes: [{ tag: 'HTML', children }] });
  const frame = firstOf(capturedFrames({ main, remote_frames: [], loading: false }).frames);
  const tab = { frame, values: new Map<number, string>(), inside: new Map<number, never>() };
  const { html, written } = serialise(tab);
  return sightOf({ text: html, tab, written });
}

function many(node: TinyNode, count = MANY): TinyNode[] {
  return Array.from({ length: count }, () => node);
}

test('fields are named by labels and by ids, however many there are and however much else', () => {
  const attributes = { id: 'a', 'aria-labelledby': 'far' };
  const { elements } = sightOfPage([
    { tag: 'LABEL', attributes: { for: 'b' }, children: ['Near'] },
    { tag: 'P', attributes: { id: 'far' }, children: ['Far'] },
    ...many({ tag: 'INPUT', attributes: { id: 'b' } }, FIELDS / 2),
    ...many({ tag: 'INPUT', attributes }, FIELDS / 2),
    ...many({ tag: 'LABEL', attributes: { for: 'c' } }),
  ]);
  expect(elements.slice(0, 1)).toMatchObject([{ role: 'textbox', name: 'Near' }]);
  expect(elements.at(-1)).toMatchObject({ role: 'textbox', name: 'Far' });
});

test('an element has as many children as it likes', () => {
  const { texts } = sightOfPage([{ tag: 'DIV', children: ['first', ...many({ tag: 'B' })] }]);
  expect(texts).toEqual(['first']);
});

test('lists have their own options, however many lists', () => {
  const list: TinyNode = {
    tag: 'SELECT',
    attributes: { 'aria-label': 'l' },
    children: [{ tag: 'OPTION', children: ['o'] }],
  };
  const { elements } = sightOfPage(many(list));
  expect(elements.filter(({ role }) => role === 'combobox').every(({ options }) => options?.length === 1)).toBe(true);
});

test('buttons without a text are named by their pictures, however many buttons', () => {
  const button: TinyNode = { tag: 'BUTTON', children: [{ tag: 'IMG', attributes: { alt: 'p' } }] };
  const { elements } = sightOfPage(many(button));
  expect(elements.find(({ role }) => role === 'button')?.name).toBe('p');
});

test('a page by whose whole text each of its fields is named is no more than the fields', () => {
  const field: TinyNode = { tag: 'INPUT', attributes: { 'aria-labelledby': 'all' } };
  const { elements } = sightOfPage([
    { tag: 'P', attributes: { id: 'all' }, children: ['word '.repeat(FIELDS)] },
    ...many(field, 4_000),
  ]);
  expect(elements.length).toBeGreaterThan(1_000);
  expect(elements.every(({ name }) => name.length <= 2_000 && name.startsWith('word word'))).toBe(true);
});

test('of the fields in one label the first is named by it, however many there are and however many other children', () => {
  const { elements } = sightOfPage([
    { tag: 'LABEL', children: ['All', ...many({ tag: 'INPUT' }, FIELDS), ...many({ tag: 'B' })] },
  ]);
  expect(elements).toMatchObject([{ role: 'textbox', name: 'All' }]);
});

test.each<[string, TinyNode[]]>([
  [
    'one element of as many that are empty',
    [
      { tag: 'P', attributes: { id: 'far' }, children: many({ tag: 'B' }, FIELDS) },
      ...many({ tag: 'INPUT', attributes: { 'aria-labelledby': 'far' } }, FIELDS),
    ],
  ],
  [
    'as many labels that are empty',
    [
      ...many({ tag: 'LABEL', attributes: { for: 'f' } }, FIELDS / 2),
      ...many({ tag: 'INPUT', attributes: { id: 'f' } }, FIELDS / 2),
    ],
  ],
])('fields that are named by %s have no name, and are no elements', (_, children) => {
  expect(sightOfPage(children).elements).toEqual([]);
});

test('buttons in buttons are named by no more than is read for all names', () => {
  let nest: TinyNode = { tag: 'BUTTON', children: ['deep'] };
  for (let depth = 0; depth < 5_000; depth += 1) nest = { tag: 'BUTTON', children: [nest, { tag: 'IMG' }] };
  const { elements } = sightOfPage([nest]);
  expect(elements.length).toBeGreaterThan(0);
  expect(elements.every(({ name }) => name === 'deep')).toBe(true);
});
