import { expect, test } from 'vitest';
import { StoredStates } from '../../src/run/stored-states.ts';

const sessionOf = (...cookies: { name: string; value: string }[]) => ({ cookies, url: 'http://a.localhost/' });
const SESSION = sessionOf({ name: 'session', value: 'ticket-of-ada-4711' });

test('a role signs in once, and the time it takes is measured', async () => {
  const states = new StoredStates();
  let times = 0;
  const make = () => {
    times += 1;
    return Promise.resolve(SESSION);
  };
  const first = await states.of('ada', make);
  expect(await states.of('ada', make)).toBe(first);
  expect(first).toEqual({ session: SESSION, setupMs: expect.any(Number) });
  expect(times).toBe(1);
});

test('its cookies are kept out of all output from then on', async () => {
  const states = new StoredStates();
  expect(states.redactor.text('ticket-of-ada-4711')).toBe('ticket-of-ada-4711');
  await states.of('ada', () => Promise.resolve(SESSION));
  expect(states.redactor.text('session=ticket-of-ada-4711')).toBe('session=[secret:COOKIE_session]');
});

test('an escaped cookie is also kept out in its unescaped form', async () => {
  const states = new StoredStates();
  const session = sessionOf(
    { name: 'session', value: 'ada%40brandt%2Fticket' },
    { name: 'odd', value: '100%-of-it-all' },
  );
  await states.of('ada', () => Promise.resolve(session));
  expect(states.redactor.text('as ada@brandt/ticket')).toBe('as [secret:COOKIE_session]');
  expect(states.redactor.text('ada%40brandt%2Fticket 100%-of-it-all')).toBe(
    '[secret:COOKIE_session] [secret:COOKIE_odd]',
  );
});

test('a role that failed to sign in is tried again', async () => {
  const states = new StoredStates();
  const failure = { failure: 'call 1 of signing in failed' };
  expect(await states.of('ada', () => Promise.resolve(failure))).toEqual(failure);
  expect(await states.of('ada', () => Promise.resolve(SESSION))).toMatchObject({ session: SESSION });
});
