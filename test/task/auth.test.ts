import { expect, test } from 'vitest';
import {
  authProblems,
  Roles,
  roleProblems,
  signInWith,
  Credentials,
  credentialProblems,
  credentialsOf,
  withCredentials,
} from '../../src/task/auth.ts';
import { defineTask } from '../../src/task/validate.ts';
import { SAMPLE } from './sample-task.ts';

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

test('a role that needs what its suite lacks is refused', () => {
  expect(roleProblems(ROLES, {})).toMatchObject([{ path: ['roles', 'ada'] }]);
});

test('a task may begin as an existing role, with the form, or signed out, but not as an unknown role', () => {
  expect(authProblems({ auth: { by: 'stored_state', role: 'ada' } }, ROLES)).toEqual([]);
  expect(authProblems({ auth: { by: 'form' } }, {})).toEqual([]);
  expect(authProblems({}, {})).toEqual([]);
  expect(authProblems({ auth: { by: 'stored_state', role: 'bob' } }, ROLES)).toMatchObject([
    { path: ['auth', 'role'], what: { code: 'role_unknown', params: { role: 'bob', known: ['ada'] } } },
  ]);
});

const KNOWN = { SHOP_PASSWORD: 'tulip-Harbour' };
const task = defineTask({
  ...SAMPLE,
  goal: 'Sign in with ${SHOP_PASSWORD}.',
  instance: { name: 'default', parameters: { password: '${SHOP_PASSWORD}', count: 3 } },
});

test('a credential appears only where the agent, the app and the solution need it', () => {
  const filled = withCredentials(task, KNOWN);
  expect(filled.goal).toBe('Sign in with tulip-Harbour.');
  expect(filled.instance?.parameters).toEqual({ password: 'tulip-Harbour', count: 3 });
  expect({ ...filled, goal: task.goal, instance: task.instance }).toEqual(task);
});

test('variables of the environment override the suite, and no others are read', () => {
  expect(credentialsOf(KNOWN, { SHOP_PASSWORD: 'from-outside', OTHER: 'x' })).toEqual({
    SHOP_PASSWORD: 'from-outside',
  });
  expect(credentialsOf(KNOWN, { SHOP_PASSWORD: '' })).toEqual(KNOWN);
});

test('a task that asks for what its suite lacks is refused, and so is one judged by it', () => {
  expect(credentialProblems(task, KNOWN)).toEqual([]);
  expect(credentialProblems(task, {})).toMatchObject([{ path: ['goal'] }, { path: ['instance'] }]);
  const judged = defineTask({ ...SAMPLE, success: { kind: 'dom_text', contains: '${SHOP_PASSWORD}' } });
  expect(credentialProblems(judged, KNOWN)).toMatchObject([{ path: ['success'] }]);
});

test('a credential too short to be redacted is refused', () => {
  expect(Credentials.safeParse({ PIN: '1234' }).success).toBe(false);
});
