import { expect, test, vi } from 'vitest';
import { retryingAgent } from '../../src/agent/kinds/retrying-reference.ts';
import type { Bind, Intent } from '../../src/task/intent.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { NEVER, seatWith } from './seat.ts';

/** Without pauses. */
vi.mock('node:timers/promises', () => ({ setTimeout: () => Promise.resolve() }));

const STEPS: Intent[] = [
  { do: 'click', role: 'button', name: 'Send' },
  { do: 'wait_for', text: 'Sent' },
];
/** Binds the click only to a reply that shows its button. */
const bind: Bind = (intent, last) =>
  intent.do === 'click' && last?.text.includes('Send') !== true
    ? { kind: 'observe', call: { tool: 'read', args: {} } }
    : { kind: 'call', call: { tool: intent.do, args: {} } };

/** The calls on a page that shows this once a click has failed, and waits for a text that is there or not. */
async function callsOn(page: string, isSent: boolean, first = 'Send'): Promise<string[]> {
  const session = await retryingAgent('retrying-reference', STEPS).open(seatWith([], bind));
  const calls: string[] = [];
  let last: ToolReply = { ok: true, kind: 'page', text: first };
  for (;;) {
    const move = await session.next(last, NEVER);
    if (move.kind !== 'call') return [...calls, move.kind];
    const { tool } = move.call;
    calls.push(tool);
    const ok = tool === 'wait_for' ? isSent : tool !== 'click';
    last = { ok, kind: ok ? 'page' : 'error', text: ok ? page : 'timed out' };
  }
}

test('goes on after a click that failed but was carried out', async () => {
  expect(await callsOn('Thank you', true)).toEqual(['click', 'read', 'read', 'wait_for', 'done']);
});

test('gives up if the text that follows such a click is missing', async () => {
  expect((await callsOn('Thank you', false)).at(-1)).toBe('give_up');
});

test('clicks again while the page shows the button', async () => {
  expect((await callsOn('Send', true)).filter((tool) => tool === 'wait_for')).toEqual([]);
});

test('does not skip a click that it never made', async () => {
  expect((await callsOn('Thank you', true, 'Thank you')).filter((tool) => tool === 'wait_for')).toEqual([]);
});
