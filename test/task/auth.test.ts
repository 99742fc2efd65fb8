import { expect, test } from 'vitest';
import { authProblems, Roles, roleProblems, signInWith } from '../../src/task/auth.ts';

const ROLES = Roles.parse({
  ada: {
    start_url: 'http://shop.localhost/sign-in',
    steps: [{ do: 'fill', label: 'Password', text: '${SHOP_PASSWORD}' }],
  },
});

test('a role signs in with the credentials of its suite', () => {
  const known = { SHOP_PASSWORD: 'tulip-Harbour' };
  expect(roleProblems(ROLES, known)).toEqual([]);
  expect(ROLES['ada'] === undefined ? null : signInWith(ROLES['ada'], known).steps).toEqual([
    { do: 'fill', label: 'Password', text: 'tulip-Harbour' },
  ]);
});

test('one that asks for what its suite has not is refused', () => {
  expect(roleProblems(ROLES, {})).toMatchObject([{ path: ['roles', 'ada'] }]);
});

test('a task may begin as a role that there is, by the form, or as nobody, and not as another', () => {
  expect(authProblems({ auth: { by: 'stored_state', role: 'ada' } }, ROLES)).toEqual([]);
  expect(authProblems({ auth: { by: 'form' } }, {})).toEqual([]);
  expect(authProblems({}, {})).toEqual([]);
  expect(authProblems({ auth: { by: 'stored_state', role: 'bob' } }, ROLES)).toMatchObject([
    { path: ['auth', 'role'], message: '"bob" is no role of the suite; choose from ada' },
  ]);
});
