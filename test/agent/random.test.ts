import { expect, test } from 'vitest';
import type { Move } from '../../src/agent/agent.ts';
import { random } from '../../src/agent/kinds/random.ts';
import type { Bind } from '../../src/task/intent.ts';
import { NEVER, seatWith } from './seat.ts';

const PAGE = ['- button "One" [ref=e1]', '- button "Two" [ref=e2]', '- textbox "Name" [ref=e3]'].join('\n');
const bind: Bind = (intent) => ({ kind: 'call', call: { tool: intent.do, args: { intent: JSON.stringify(intent) } } });

/** All moves of an episode on this page, which never changes. */
async function movesOf(seed: string, text = PAGE): Promise<Move[]> {
  const session = await random.open({ ...seatWith([], bind), seed });
  const moves = [await session.next(null, NEVER)];
  while (moves.at(-1)?.kind === 'call') moves.push(await session.next({ ok: true, kind: 'text', text }, NEVER));
  return moves;
}

test('looks first, acts at random on what it sees, and comes to an end', async () => {
  const [first, ...others] = await movesOf('a');
  expect(first).toMatchObject({ call: { tool: 'read' } });
  expect(others.length).toBeGreaterThan(1);
  expect(others.length).toBeLessThan(10);
  expect(others.at(-1)).toEqual({ kind: 'done', answer: null });
});

test('does the same for the same seed, and something else for another', async () => {
  const moves = await movesOf('a');
  expect(await movesOf('a')).toEqual(moves);
  const others = await Promise.all(['b', 'c', 'd'].map((seed) => movesOf(seed)));
  expect(others).not.toContainEqual(moves);
});

test('is done where there is nothing to draw from', async () => {
  expect((await movesOf('a', 'nothing')).map(({ kind }) => kind)).toEqual(['call', 'done']);
});
