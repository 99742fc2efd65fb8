import { expect, test } from 'vitest';
import { Fault, Faults } from '../../src/fault/schema.ts';

test('what its author leaves out has a default', () => {
  expect(Fault.parse({ id: 'lost', kind: 'drop' })).toMatchObject({ nth: 1, times: 1 });
  expect(Fault.parse({ id: 'lid', kind: 'covered' })).toEqual({ id: 'lid', kind: 'covered', ms: 1_500 });
});

test.each([
  ['a kind that nobody knows', { id: 'a', kind: 'earthquake' }],
  ['a field of another kind', { id: 'a', kind: 'covered', nth: 2 }],
  ['a pattern that cannot run', { id: 'a', kind: 'drop', url: '(' }],
  ['a status that is no failure of a server', { id: 'a', kind: 'server_error', status: 200 }],
  ['a range that ends before it begins', { id: 'a', kind: 'drop', nth: [3, 1] }],
])('refuses %s', (_what, fault) => {
  expect(Fault.safeParse(fault).success).toBe(false);
});

test('two faults of one task or profile have two names', () => {
  const twice = Faults.safeParse([
    { id: 'a', kind: 'drop' },
    { id: 'a', kind: 'modal' },
  ]);
  expect(twice.error?.issues[0]).toMatchObject({ path: [1, 'id'] });
});
