import { describe, expect, test, vi } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { retryingAgent } from '../../src/agent/kinds/retrying-reference.ts';
import type { Bind, Intent } from '../../src/task/intent.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { NEVER, seatWith } from './seat.ts';

/** Without waits between looks. */
vi.mock('node:timers/promises', () => ({ setTimeout: () => Promise.resolve() }));

const STEPS: Intent[] = [{ do: 'settle' }, { do: 'press', key: 'Enter' }];
const bind: Bind = (intent) => ({ kind: 'call', call: { tool: intent.do, args: {} } });

function shown(text: string, ok = true): ToolReply {
  return { ok, kind: ok ? 'page' : 'error', text };
}

/** The tools that an agent calls, when each look except the last is answered with the next of these. */
async function callsOf(agent: Agent, replies: readonly ToolReply[], bound = bind): Promise<string[]> {
  const session = await agent.open(seatWith([], bound));
  const calls: string[] = [];
  for (const reply of [shown('what came before'), ...replies]) {
    const move = await session.next(reply, NEVER);
    calls.push(move.kind === 'call' ? move.call.tool : move.kind);
  }
  return calls;
}

describe.each([
  ['reference', referenceAgent('reference', STEPS)],
  ['retrying-reference', retryingAgent('retrying-reference', STEPS)],
])('%s, at "settle",', (_, agent) => {
  test('looks twice at a page that does not change', async () => {
    const replies = [shown('what came before'), shown('what came before')];
    expect(await callsOf(agent, replies)).toEqual(['read', 'read', 'press']);
  });

  test('looks until two looks in a row agree', async () => {
    const replies = ['a', 'b', 'a', 'c', 'c'].map((text) => shown(text));
    expect(await callsOf(agent, replies)).toEqual(['read', 'read', 'read', 'read', 'read', 'press']);
  });

  test('ignores looks that failed', async () => {
    const replies = [shown('no page', false), shown('no page', false), shown('a'), shown('a')];
    expect(await callsOf(agent, replies)).toEqual(['read', 'read', 'read', 'read', 'press']);
  });

  test('compares the pictures of a surface', async () => {
    const picture = (base64: string): ToolReply => ({ ...shown(''), image: { media_type: 'image/png', base64 } });
    const replies = [picture('AAAA'), picture('BBBB'), picture('BBBB')];
    expect(await callsOf(agent, replies)).toEqual(['read', 'read', 'read', 'press']);
  });
});

const RESTLESS = Array.from({ length: 12 }, (_, index) => shown(String(index)));

test('a page that changes all the time breaks the reference', async () => {
  await expect(callsOf(referenceAgent('reference', STEPS), RESTLESS)).rejects.toMatchObject({
    code: 'step_not_bound',
    params: { step: 'settle', why: 'the page still changed after 12 looks' },
  });
});

test('a page that changes all the time does not stop the retrying reference', async () => {
  expect((await callsOf(retryingAgent('retrying-reference', STEPS), RESTLESS)).at(-1)).toBe('press');
});

test('a surface that cannot look breaks it, with the reason', async () => {
  const blind: Bind = () => ({ kind: 'impossible', why: 'it shows no page' });
  await expect(callsOf(referenceAgent('reference', STEPS), [], blind)).rejects.toMatchObject({
    params: { step: 'settle', why: 'it shows no page' },
  });
});

test('the reference waits for a text by looking if the surface cannot wait', async () => {
  const cannotWait: Bind = (intent, last) =>
    intent.do === 'wait_for' ? { kind: 'impossible', why: 'no call is bound', unbound: true } : bind(intent, last);
  const steps: Intent[] = [
    { do: 'wait_for', text: 'Saved' },
    { do: 'press', key: 'Enter' },
  ];
  const agent = referenceAgent('reference', steps);
  const replies = [shown('Saving'), shown('Saving'), shown('It is Saved.')];
  expect(await callsOf(agent, replies, cannotWait)).toEqual(['read', 'read', 'read', 'press']);
  await expect(callsOf(agent, RESTLESS, cannotWait)).rejects.toMatchObject({ code: 'step_not_bound' });
});

test('the reference does not look in place of a tool that the server lacks', async () => {
  const lacksTool: Bind = (intent, last) =>
    intent.do === 'wait_for' ? { kind: 'impossible', why: 'the server has no tool "wait"' } : bind(intent, last);
  const agent = referenceAgent('reference', [{ do: 'wait_for', text: 'Saved' }]);
  await expect(callsOf(agent, [], lacksTool)).rejects.toMatchObject({ code: 'step_not_bound' });
});
