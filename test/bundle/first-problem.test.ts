import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { firstProblem } from '../../src/bundle/first-problem.ts';
import { Evidence } from '../../src/contract/evidence.ts';
import { parsePlainly } from '../../src/contract/validation/problem.ts';
import { evidence } from '../contract/evidence-sample.ts';

const Thing = z.strictObject({
  name: z.string(),
  sizes: z.array(z.int()),
  parts: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a'), a: z.string().nullable() }),
      z.strictObject({ kind: z.literal('b'), b: z.record(z.string().min(1), z.int()) }),
    ]),
  ),
  note: z.object({ text: z.string() }).optional(),
  way: z.strictObject({ by: z.literal('hand') }).exactOptional(),
});
const GOOD = {
  name: '',
  sizes: [1],
  parts: [
    { kind: 'a', a: null },
    { kind: 'b', b: { x: 1 } },
  ],
  note: { text: '' },
  way: { by: 'hand' },
};

describe('the first problem of a value', () => {
  test('is null for a valid value', () => {
    const { note: _note, way: _way, ...without } = GOOD;
    for (const value of [GOOD, without, { ...GOOD, note: { text: '', more: 1 } }]) {
      expect(firstProblem(Thing, value)).toBeNull();
    }
    expect(firstProblem(Evidence, evidence())).toBeNull();
  });

  test.each([
    ['no map', 3],
    ['a field missing', { ...GOOD, name: undefined }],
    ['a field of another type', { ...GOOD, name: 1 }],
    ['no list', { ...GOOD, sizes: {} }],
    ['an element of a list', { ...GOOD, sizes: [1, 2, '3'] }],
    ['one more field', { ...GOOD, more: 1 }],
    ['a field that is not its own', JSON.parse('{"__proto__":1,"name":"","sizes":[],"parts":[]}')],
    ['an option that is none', { ...GOOD, parts: [{ kind: 'c' }] }],
    ['an element that is no map', { ...GOOD, parts: [null] }],
    ['a field of an option', { ...GOOD, parts: [{ kind: 'a', a: 1 }] }],
    ['one more field of an option', { ...GOOD, parts: [{ kind: 'a', a: '', b: 1 }] }],
    ['an entry of a record', { ...GOOD, parts: [{ kind: 'b', b: { x: 1, y: '' } }] }],
    ['a key of a record', { ...GOOD, parts: [{ kind: 'b', b: { '': 1 } }] }],
    ['a field of a map that may be left out', { ...GOOD, note: { text: 1 } }],
    ['a field of a map that has to be left out or whole', { ...GOOD, way: { by: 'foot' } }],
    ['nothing where it has to be left out', { ...GOOD, way: undefined }],
    ['null for what may be left out', { ...GOOD, note: null }],
  ])('is the one that zod finds: %s', (_, value) => {
    const parsed = parsePlainly(Thing, value);
    expect(parsed).toMatchObject({ ok: false });
    expect(firstProblem(Thing, value)).toEqual(parsed.ok ? null : parsed.problems[0]);
  });

  test('is the first of ten million, and the search ends there', () => {
    const sizes = Array(1e7).fill('');
    let looked = 0;
    const counted = new Proxy(sizes, {
      get: (target, key) => {
        looked += 1;
        return Reflect.get(target, key);
      },
    });
    expect(firstProblem(Thing, { ...GOOD, sizes: counted })).toMatchObject({ path: ['sizes', 0] });
    expect(looked).toBeLessThan(100);
  });
});
