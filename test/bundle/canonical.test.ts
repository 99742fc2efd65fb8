import { describe, expect, test } from 'vitest';
import { canonicalJson, hashJson, sha256Hex } from '../../src/contract/canonical.ts';

describe('canonical JSON', () => {
  test('gives the bytes of the example in RFC 8785', () => {
    const value: unknown = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],` +
        String.raw`"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { deep: [Number.NaN] }])(
    'refuses %j, which JSON cannot hold',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(/no JSON form|not allowed/);
    },
  );
});

describe('hashes', () => {
  test('are the SHA-256 of the bytes', () => {
    const ofAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256Hex('abc')).toBe(ofAbc);
    expect(sha256Hex(Buffer.from('abc'))).toBe(ofAbc);
  });

  test('of a value do not depend on the order of its keys', () => {
    expect(hashJson({ a: 1, b: { c: 2, d: 3 } })).toBe(hashJson({ b: { d: 3, c: 2 }, a: 1 }));
  });

  test('of a value depend on every value and on the order of a list', () => {
    expect(hashJson({ a: 1 })).not.toBe(hashJson({ a: 2 }));
    expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
  });
});
