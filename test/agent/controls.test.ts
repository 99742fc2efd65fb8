import { expect, test } from 'vitest';
import { nullAgent, parrot } from '../../src/agent/controls.ts';
import { NEVER, seatWith } from './seat.ts';

test('null does nothing and is done', async () => {
  const session = await nullAgent.open(seatWith(['click']));
  expect(await session.next(null, NEVER)).toEqual({ kind: 'done', answer: null });
});

test('parrot does nothing and answers with the goal', async () => {
  const session = await parrot.open(seatWith(['click']));
  expect(await session.next(null, NEVER)).toEqual({ kind: 'done', answer: { value: 'Send the form.' } });
});

test.each([nullAgent, parrot])('$id is a control', ({ decider }) => {
  expect(decider).toBe('control');
});
