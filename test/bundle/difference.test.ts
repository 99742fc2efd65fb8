import { describe, expect, test } from 'vitest';
import { otherFields, placeOfDifference } from '../../src/bundle/difference.ts';

function named(found: object, expected: object): string[] {
  return otherFields(found, expected).map(({ field, words }) => `${field} ${words}`);
}

describe('unexpected fields of a record', () => {
  test('are named, each with both values, and no other is', () => {
    const row = { status: 'failed', steps: 3, caps: { steps: 10 }, answer: null };
    expect(named({ ...row, status: 'passed', steps: 4 }, row)).toEqual([
      'status expected "failed", found "passed"',
      'steps expected 3, found 4',
    ]);
  });

  test('are empty if records differ only in the order of keys, or in omitted nulls', () => {
    expect(named({ b: { y: 1, x: [2] }, a: 1 }, { a: 1, b: { x: [2], y: 1 }, c: null })).toEqual([]);
  });

  test('are named with the first place inside at which they differ', () => {
    expect(named({ caps: { steps: 77, wall: [1] } }, { caps: { steps: 10, wall: [1] } })).toEqual([
      'caps at steps expected 10, found 77',
    ]);
    expect(named({ faults: [{ id: 'a' }] }, { faults: [] })).toEqual([
      'faults at 0 expected nothing, found {"id":"a"}',
    ]);
  });

  test('are shortened to the differing part', () => {
    const [words] = named({ url: `http://shop/${'x'.repeat(90)}1` }, { url: `http://shop/${'x'.repeat(90)}2` });
    expect(words).toMatch(/^url expected …x+2", found …x+1"$/);
    expect(words?.length).toBeLessThan(130);
    expect(named({ a: 'x'.repeat(500) }, { a: 'y' })).toEqual([`a expected "y", found "${'x'.repeat(47)}…`]);
  });

  test('are named even if a value has no canonical JSON, or is nested endlessly', () => {
    const deep = JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`);
    expect(named({ a: '\uD83D' }, { a: 'b' })).toEqual([String.raw`a expected "b", found "\ud83d"`]);
    expect(named({ a: deep }, { a: 1 })[0]).toMatch(/^a expected 1, found /);
  });
});

test('two values that differ as a whole have no place inside', () => {
  expect(placeOfDifference([1], { 0: 1 })).toBe('');
  expect(placeOfDifference([1], [1])).toBeNull();
});
