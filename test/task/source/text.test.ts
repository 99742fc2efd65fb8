import { assert, jsonValue, property, json, nat } from 'fast-check';
import { expect, it } from 'vitest';
import { type ReadSource, formatPath, formatProblem } from '../../../src/task/source/source.ts';
import { parseText } from '../../../src/task/source/text.ts';
import { fact } from '../../../src/messages/messages.ts';
import { jsonFault } from '../../../src/task/source/json-text.ts';

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

it.each(['json', 'yaml'] as const)('refuses %s that is nested too deeply to read', (format) => {
  const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(parseText(text, format)).toMatchObject({
    ok: false,
    problems: [{ what: { code: 'file_nested_deep' } }],
  });
});

it('finds no fault in JSON', () => {
  assert(
    property(json(), (text) => {
      expect(jsonFault(text)).toBeNull();
    }),
  );
});

it('finds a fault no later than the first character that is invalid in JSON', () => {
  const withoutText = json().filter((text) => !text.includes('"'));
  assert(
    property(withoutText, nat(), (text, at) => {
      const offset = at % (text.length + 1);
      const fault = jsonFault(`${text.slice(0, offset)}#${text.slice(offset)}`);
      expect(fault?.offset).toBeLessThanOrEqual(offset);
    }),
  );
});

it.each([
  ['', 0, 'ValueExpected'],
  ['[1 2]', 3, 'CommaExpected'],
  ['[1', 2, 'CloseBracketExpected'],
  ['{"a" 1}', 5, 'ColonExpected'],
  ["{'a': 1}", 1, 'InvalidSymbol'],
  ['{"a": 1,}', 8, 'PropertyNameExpected'],
  ['[}', 1, 'ValueExpected'],
  ['[1]]', 3, 'EndOfFileExpected'],
  ['"line\nbreak"', 0, 'UnexpectedEndOfString'],
  ['"\\x"', 0, 'InvalidEscapeCharacter'],
  ['[1] // one', 4, 'InvalidCommentToken'],
])('%j', (text, offset, error) => {
  expect(jsonFault(text)).toEqual({ offset, what: fact('json_invalid', { error }) });
});

const PROBLEM = {
  file: 'suites/x/task.yaml',
  line: 12,
  column: 5,
  path: ['success', 'children', 0, 'contain'],
  what: fact('unknown_field', { allowed: ['kind', 'contains'] }),
};

it('is one line with place, path and message', () => {
  expect(formatProblem(PROBLEM)).toBe(
    'suites/x/task.yaml:12:5 success.children[0].contain: unknown field; allowed: kind, contains',
  );
});

it('leaves out an unknown place', () => {
  expect(formatProblem({ ...PROBLEM, line: null, column: null, path: [] })).toBe(
    'suites/x/task.yaml: unknown field; allowed: kind, contains',
  );
});

it('quotes a field name that could be read as a path', () => {
  expect(formatPath(['success', 'a.b', 1])).toBe('success["a.b"][1]');
});
