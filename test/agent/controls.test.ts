import { expect, test } from 'vitest';
import { nullAgent } from '../../src/agent/kinds/null.ts';
import { parrot } from '../../src/agent/kinds/parrot.ts';
import { quitter } from '../../src/agent/kinds/quitter.ts';
import { random } from '../../src/agent/kinds/random.ts';
import { teleport } from '../../src/agent/kinds/teleport.ts';
import { NEVER, reply, seatWith } from './seat.ts';

test('null does nothing and is done', async () => {
  const session = await nullAgent.open(seatWith(['click']));
  expect(await session.next(null, NEVER)).toEqual({ kind: 'done', answer: null });
});

test('parrot does nothing and answers with the goal', async () => {
  const session = await parrot.open(seatWith(['click']));
  expect(await session.next(null, NEVER)).toEqual({ kind: 'done', answer: { value: 'Send the form.' } });
});

test('quitter gives up at once', async () => {
  const session = await quitter.open(seatWith(['click']));
  expect(await session.next(null, NEVER)).toMatchObject({ kind: 'give_up' });
});

test('teleport goes to its address, is done there and answers nothing', async () => {
  const seat = seatWith([], (intent) => ({
    kind: 'call',
    call: { tool: 'go', args: { intent: JSON.stringify(intent) } },
  }));
  const session = await teleport('http://a.test/end').open(seat);
  expect(await session.next(null, NEVER)).toMatchObject({
    call: { args: { intent: '{"do":"go","url":"http://a.test/end"}' } },
  });
  expect(await session.next(reply('text'), NEVER)).toEqual({ kind: 'done', answer: null });
});

test('teleport breaks where no address can be opened, and says why', async () => {
  const session = await teleport('http://a.test/end').open(seatWith());
  await expect(session.next(null, NEVER)).rejects.toMatchObject({ code: 'cannot_bind' });
});

test.each([nullAgent, parrot, quitter, random, teleport('http://a.test/')])('$id is a control', ({ decider }) => {
  expect(decider).toBe('control');
});
