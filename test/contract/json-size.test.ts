import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBytes } from '../../src/contract/json.ts';

const MOST = 1_000_000;

test('counts what JSON takes in UTF-8', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(jsonBytes(JSON.parse(json), MOST)).toBe(Buffer.byteLength(json));
    }),
  );
});

test('counts a value that just fits, and none that is a byte longer', () => {
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
