import { assert, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';
import type { ReadSource } from '../../../src/task/source/source.ts';
import { parseText } from '../../../src/task/source/text.ts';

/** Every path into a value, and one beyond each. */
function pathsIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  const beyond = [...path, 'no such field'];
  if (typeof value !== 'object' || value === null) return [[...path], beyond];
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[...path], beyond, ...below.flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

function placesIn(read: ReadSource): unknown {
  if (!read.ok) return read.problems;
  const { value, placeOf } = read.value;
  return pathsIn(value).map((path) => [path, placeOf(path)]);
}

it('names the same places in JSON, whichever parser reads it', () => {
  const plain = jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  assert(
    property(plain, (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(placesIn(parseText(text, 'json'))).toEqual(placesIn(parseText(text, 'yaml')));
    }),
  );
});

it.each([
  ['{"a": 1,\n "a": 2}', [[2, 2]]],
  [
    '[{"b": 1, "\\u0062": {"c": 1, "c": 2}},\n {"d": [], "d": 1}]',
    [
      [1, 11],
      [1, 30],
      [2, 12],
    ],
  ],
])('finds each field that JSON gives twice: %j', (text, places) => {
  const read = parseText(text, 'json');
  const found = read.ok ? [] : read.problems.map(({ line, column }) => [line, column]);
  expect(found).toEqual(places);
});

it('takes JSON that has one name in several objects', () => {
  expect(parseText('[{"a": 1}, {"a": {"a": 2}}]', 'json')).toMatchObject({
    ok: true,
    value: { value: [{ a: 1 }, { a: { a: 2 } }] },
  });
});

it.each(['json', 'yaml'] as const)('refuses %s that is nested too deeply to be walked', (format) => {
  const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(parseText(text, format)).toMatchObject({
    ok: false,
    problems: [{ message: 'is nested too deeply to be a task; flatten it' }],
  });
});
