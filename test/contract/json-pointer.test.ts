import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Json, jsonBytes } from '../../src/contract/json.ts';
import { differences, liesUnder, resolvePointer, segmentsOf } from '../../src/contract/json-pointer.ts';

describe('a pointer resolves as in RFC 6901', () => {
  // The document of section 5, less the keys that differ in nothing.
  const DOCUMENT: Json = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7, 'k"l': 6, '~1': 9 };

  it.each<[string, Json]>([
    ['', DOCUMENT],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/m~0n', 8],
    ['/ ', 7],
    ['/k"l', 6],
    ['/~01', 9],
  ])('%j', (pointer, value) => {
    expect(resolvePointer(DOCUMENT, pointer)).toEqual(value);
  });

  it.each('/foo/2 /foo/01 /foo/- /foo/-1 /foo/1.0 /foo/length /foo/0/0 /bar /foo/ /a/b /~1'.split(' '))(
    '%j names nothing',
    (pointer) => {
      expect(resolvePointer(DOCUMENT, pointer)).toBeUndefined();
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'at'])(
    'an inherited property is not in the document: %s',
    (name) => {
      for (const value of [{}, [], 'text', 1, true, null]) expect(resolvePointer(value, `/${name}`)).toBeUndefined();
      expect(resolvePointer({ a: {} }, `/a/${name}/name`)).toBeUndefined();
    },
  );

  it('but a key of that name is', () => {
    const value: Json = JSON.parse('{ "__proto__": { "length": 3 } }');
    expect(resolvePointer(value, '/__proto__/length')).toBe(3);
  });

  it('distinguishes null from a missing value', () => {
    expect(resolvePointer({ a: null }, '/a')).toBeNull();
    expect(resolvePointer({ a: null }, '/a/b')).toBeUndefined();
  });
});

describe('differences', () => {
  it.each<[string, Json, Json, string[]]>([
    ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['the sign of zero', { a: 0 }, { a: -0 }, []],
    ['a changed value', { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, ['/a/b']],
    ['an added value', { a: {} }, { a: { b: 1 } }, ['/a/b']],
    ['a removed value', { a: { b: 1 } }, { a: {} }, ['/a/b']],
    ['an added container is one place', {}, { a: { b: { c: 1 } } }, ['/a']],
    ['a null that came', {}, { a: null }, ['/a']],
    ['an entry at the end of a list', [1], [1, 2], ['/1']],
    ['an entry at the start moves all', ['a', 'b'], ['b'], ['/0', '/1']],
    ['a list that became a map', { a: ['x'] }, { a: { 0: 'x' } }, ['/a']],
    ['an empty list that became an empty map', { a: [] }, { a: {} }, ['/a']],
    ['a number that became its text', { a: 1 }, { a: '1' }, ['/a']],
    ['null that became false', { a: null }, { a: false }, ['/a']],
    ['the whole', 1, 2, ['']],
    ['several, sorted', { b: 1, a: { y: 1, x: 1 } }, { b: 2, a: { y: 2, x: 2 } }, ['/a/x', '/a/y', '/b']],
    ['keys that need escapes', { 'a/b': 1, 'm~n': 1, '': 1 }, {}, ['/', '/a~1b', '/m~0n']],
  ])('%s', (_, before, after, expected) => {
    expect(differences(before, after)).toEqual(expected);
  });

  it('a key named __proto__ is a key', () => {
    expect(differences({}, JSON.parse('{ "__proto__": 1 }'))).toEqual(['/__proto__']);
  });

  it('is empty for equal values only, and the same both ways', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(differences(a, structuredClone(a))).toEqual([]);
        expect(differences(a, b)).toEqual(differences(b, a));
        expect(differences(a, b).length === 0).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });

  it('each named place has different values on the two sides', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(json, json, (a, b) => {
        for (const pointer of differences(a, b)) {
          expect(resolvePointer(a, pointer)).not.toStrictEqual(resolvePointer(b, pointer));
        }
      }),
    );
  });

  it('goes 10 000 levels deep', () => {
    const [pointer, ...more] = differences(nested(10_000, 1), nested(10_000, 2));
    expect(more).toEqual([]);
    expect(segmentsOf(pointer ?? '')).toHaveLength(10_000);
  });
});

function nested(levels: number, core: Json): Json {
  let value = core;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

describe('liesUnder', () => {
  it.each([
    ['/a', '/a'],
    ['/a/b', '/a'],
    ['/a/b', '/*'],
    ['/a/7/c', '/a/*/c'],
    ['/a/7/c/d', '/a/*/c'],
    ['/a~1b', '/a~1b'],
  ])('%s lies under %s', (pointer, pattern) => {
    expect(liesUnder(pointer, pattern)).toBe(true);
  });

  it.each([
    ['/ab', '/a'],
    ['/a', '/a/b'],
    ['/a', '/a/*'],
    ['', '/a'],
    ['', '/*'],
    ['/a/7/d', '/a/*/c'],
    ['/a/b/c', '/a/*/*/*'],
    ['/a/b', '/a~1b'],
  ])('%s does not lie under %s', (pointer, pattern) => {
    expect(liesUnder(pointer, pattern)).toBe(false);
  });
});

const MAX = 1_000_000;

test('counts the bytes of JSON in UTF-8', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(jsonBytes(JSON.parse(json), MAX)).toBe(Buffer.byteLength(json));
    }),
  );
});

test('counts a value that just fits, and none a byte longer', () => {
  const value = { list: [1, 'é', null], none: {} };
  const bytes = Buffer.byteLength(JSON.stringify(value));
  expect(jsonBytes(value, bytes)).toBe(bytes);
  expect(jsonBytes(value, bytes - 1)).toBeNull();
});

test('stops at its budget, whatever comes after', () => {
  const withoutEnd: unknown[] = [];
  withoutEnd.push(withoutEnd, withoutEnd);
  expect(jsonBytes(withoutEnd, 1_000)).toBeNull();
});
