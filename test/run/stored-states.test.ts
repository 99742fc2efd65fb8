import { expect, test } from 'vitest';
import { StoredStates } from '../../src/run/stored-states.ts';

const STATE = [{ name: 'session', value: 'ticket-of-ada-4711' }];

test('a role signs in once, and the cost of that is measured', async () => {
  const states = new StoredStates();
  let times = 0;
  const make = () => {
    times += 1;
    return Promise.resolve({ state: STATE });
  };
  const first = await states.of('ada', make);
  expect(await states.of('ada', make)).toBe(first);
  expect(first).toEqual({ state: STATE, setupMs: expect.any(Number) });
  expect(times).toBe(1);
});

test('its cookies are kept out of all output from then on', async () => {
  const states = new StoredStates();
  expect(states.redactor.text('ticket-of-ada-4711')).toBe('ticket-of-ada-4711');
  await states.of('ada', () => Promise.resolve({ state: STATE }));
  expect(states.redactor.text('session=ticket-of-ada-4711')).toBe('session=[secret:COOKIE_session]');
});

test('an escaped cookie is kept out in its unescaped form, too', async () => {
  const states = new StoredStates();
  const state = [
    { name: 'session', value: 'ada%40brandt%2Fticket' },
    { name: 'odd', value: '100%-of-it-all' },
  ];
  await states.of('ada', () => Promise.resolve({ state }));
  expect(states.redactor.text('as ada@brandt/ticket')).toBe('as [secret:COOKIE_session]');
  expect(states.redactor.text('ada%40brandt%2Fticket 100%-of-it-all')).toBe(
    '[secret:COOKIE_session] [secret:COOKIE_odd]',
  );
});

test('a role that failed to sign in is tried again', async () => {
  const states = new StoredStates();
  const failure = { failure: 'call 1 of signing in failed' };
  expect(await states.of('ada', () => Promise.resolve(failure))).toEqual(failure);
  expect(await states.of('ada', () => Promise.resolve({ state: STATE }))).toMatchObject({ state: STATE });
});
