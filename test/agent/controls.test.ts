import path from 'node:path';
import { expect, test } from 'vitest';
import { nullAgent, parrot, quitter, teleport } from '../../src/agent/kinds/controls.ts';
import { random } from '../../src/agent/kinds/random.ts';
import { NEVER, reply, seatWith } from './seat.ts';
import type { Agent, Move } from '../../src/agent/agent.ts';
import type { Bind } from '../../src/task/intent.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { AGENTS } from '../../src/agent/built-in.ts';
import { CONTROLS } from '../../src/plan/task-qualification.ts';

test.each<[Agent, Move]>([
  [nullAgent, { kind: 'done', answer: null }],
  [parrot, { kind: 'done', answer: { value: 'Send the form.' } }],
  [quitter, { kind: 'give_up', reason: 'it always gives up' }],
])('$id ends at once', async (agent, move) => {
  const session = await agent.open(seatWith(['click']));
  expect(await session.next(null, NEVER)).toEqual(move);
});

test('teleport goes to its address, ends there and answers nothing', async () => {
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

test('teleport breaks if no address can be opened', async () => {
  const session = await teleport('http://a.test/end').open(seatWith());
  await expect(session.next(null, NEVER)).rejects.toMatchObject({ code: 'address_not_bound' });
});

test.each([nullAgent, parrot, quitter, random, teleport('http://a.test/')])('$id is a control', ({ decider }) => {
  expect(decider).toBe('control');
});

const PAGE = ['- button "One" [ref=e1]', '- button "Two" [ref=e2]', '- textbox "Name" [ref=e3]'].join('\n');
const bind: Bind = (intent) => ({ kind: 'call', call: { tool: intent.do, args: { intent: JSON.stringify(intent) } } });

/** All moves of an episode on this page, which never changes. */
async function movesOf(seed: string, text = PAGE): Promise<Move[]> {
  const session = await random.open({ ...seatWith([], bind), seed });
  const moves = [await session.next(null, NEVER)];
  while (moves.at(-1)?.kind === 'call') moves.push(await session.next({ ok: true, kind: 'text', text }, NEVER));
  return moves;
}

test('random looks first, acts on what it sees, and ends', async () => {
  const [first, ...others] = await movesOf('a');
  expect(first).toMatchObject({ call: { tool: 'read' } });
  expect(others.length).toBeGreaterThan(1);
  expect(others.length).toBeLessThan(10);
  expect(others.at(-1)).toEqual({ kind: 'done', answer: null });
});

test('random makes the same moves for the same seed, and differently for another', async () => {
  const moves = await movesOf('a');
  expect(await movesOf('a')).toEqual(moves);
  const others = await Promise.all(['b', 'c', 'd'].map((seed) => movesOf(seed)));
  expect(others).not.toContainEqual(moves);
});

test('random is done if there is nothing to draw from', async () => {
  expect((await movesOf('a', 'nothing')).map(({ kind }) => kind)).toEqual(['call', 'done']);
});

const ROOT = path.resolve(import.meta.dirname, '../..');

test('every agent in a file is registered', () => {
  const folder = path.join(ROOT, 'src/agent/kinds');
  const files = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const exported = files.flatMap((text) =>
    [...text.matchAll(/^export const (\w+Kind)\b/gm)].map(([, name = '']) => name),
  );
  const list = readFileSync(path.join(ROOT, 'src/agent/built-in.ts'), 'utf8').matchAll(/^ {2}(\w+Kind),$/gm);
  const registered = [...list].map(([, name = '']) => name);
  expect(registered).toHaveLength(AGENTS.length);
  expect(registered.toSorted()).toEqual(exported.toSorted());
});

test('the documents list every agent, with its decider', () => {
  const text = readFileSync(path.join(ROOT, 'docs/agents.md'), 'utf8');
  const rows = text.split('\n').flatMap((line) => {
    const [, id, , decider] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return AGENTS.some((agent) => agent.id === id) ? [[id, decider]] : [];
  });
  expect(rows).toEqual(AGENTS.map(({ id, decider }) => [id, decider]));
});

test('every task is tried with these five controls: one more makes all proofs stale', () => {
  expect(CONTROLS).toEqual(['null', 'parrot', 'quitter', 'teleport', 'random']);
});
