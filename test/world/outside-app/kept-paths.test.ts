import { expect, test } from 'vitest';
import { meansKept } from '../../../src/world/outside-app/kept-paths.ts';

const KEPT = ['/__state', '/admin/reset'];

function isKept(at: string, headers: Record<string, string> = {}): boolean {
  return meansKept(new Request(`http://outside.localhost${at}`, { headers }), KEPT);
}

test.each([
  ['/__state'],
  ['/__state/'],
  ['/__STATE?x=1'],
  ['/%5f%5fstate'],
  ['/%255f_state'],
  ['//__state'],
  ['/x/..;/__state'],
  ['/./__state'],
  ['/__state;v=1'],
  ['/\\__state'],
  ['/_%00_state'],
  ['/?route=/__state'],
  ['/admin/reset'],
  ['/admin/./reset'],
  ['/admin//reset'],
  ['/admin;x/reset'],
])('a path that is kept is known by whatever spelling: %s', (at) => {
  expect(isKept(at)).toBe(true);
});

test('and by a header that names it', () => {
  expect(isKept('/', { 'x-original-url': '/__state' })).toBe(true);
  expect(isKept('/', { 'x-rewrite-url': '/admin%2freset' })).toBe(true);
});

test.each([['/'], ['/state'], ['/admin'], ['/reset'], ['/admin/x/reset'], ['/?q=__state']])(
  'another is not: %s',
  (at) => {
    expect(isKept(at, { 'x-original-url': '/other', referer: 'http://outside.localhost/' })).toBe(false);
  },
);
