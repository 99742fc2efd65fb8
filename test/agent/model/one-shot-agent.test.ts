import { describe, expect, test } from 'vitest';
import type { AgentSeat, Move } from '../../../src/agent/agent.ts';
import { oneShotAgent } from '../../../src/agent/model/one-shot-agent.ts';
import { ModelDrift, type ModelReply } from '../../../src/model/conversation.ts';
import { seatWith } from '../seat.ts';
import { call, movesWith, PICTURE, PROMPT, reply, textPart } from './scripted-model.ts';

const LOOK: AgentSeat['bind'] = () => ({ kind: 'call', call: { tool: 'look', args: {} } });
const replyTo = (tool: string) => {
  const ok = tool !== 'nowhere';
  return { ok, kind: ok ? 'text' : 'error', text: `what ${tool} shows` };
};

/** An agent whose model replies so, on a surface that shows one page and fails at `nowhere`. */
function work(script: readonly (ModelReply | Error)[], seat: Partial<AgentSeat> = {}, replies = replyTo) {
  return movesWith(oneShotAgent, script, { ...seatWith(['open', 'nowhere']), bind: LOOK, ...seat }, replies);
}

function plan(value: unknown): ModelReply {
  return reply([textPart(JSON.stringify(value))], { stopReason: 'end_turn' });
}

const CALLS = [
  { tool: 'nowhere', args: {} },
  { tool: 'open', args: { a: 1 } },
];

test('looks once, is asked once, and its calls are made in order, even if one fails', async () => {
  const { moves, asked } = await work([plan({ calls: CALLS, done: { answer: 42 } })]);
  expect(moves).toEqual([
    { kind: 'call', call: { tool: 'look', args: {} } },
    { kind: 'call', call: { tool: 'nowhere', args: {} } },
    { kind: 'call', call: { tool: 'open', args: { a: 1 } } },
    { kind: 'done', answer: { value: 42 } },
  ]);
  expect(asked).toHaveLength(1);
});

test('the model is given the goal, what the browser shows, and the tools, as text', async () => {
  const { asked } = await work([plan({ calls: [] })]);
  expect(asked[0]?.system).toBe(`${PROMPT.system}\n\n${PROMPT.one_shot}`);
  expect(asked[0]?.tools).toEqual([]);
  const [message] = asked[0]?.messages ?? [];
  expect(message).toMatchObject({ from: 'user', text: expect.stringContaining('Send the form.') });
  expect(message).toMatchObject({ text: expect.stringContaining('what look shows') });
  expect(message).toMatchObject({ text: expect.stringContaining('{"name":"nowhere"') });
});

test('passes on a picture as a picture', async () => {
  const { asked } = await work([plan({ calls: [] })], {}, () => PICTURE);
  expect(asked[0]?.messages).toMatchObject([{ from: 'user', picture: { base64: 'AAAA' } }]);
});

test('a plan for a surface that cannot be looked at is made unseen', async () => {
  const bind: AgentSeat['bind'] = () => ({ kind: 'impossible', why: 'no' });
  const { moves, asked } = await work([plan({ calls: [] })], { bind });
  expect(moves).toEqual([{ kind: 'done', answer: null }]);
  expect(asked[0]?.messages).toMatchObject([{ text: expect.stringContaining('cannot be looked at') }]);
});

test.each<[string, object, Move]>([
  ['without a word at its end', {}, { kind: 'done', answer: null }],
  ['with done', { done: {} }, { kind: 'done', answer: null }],
  ['with an answer', { done: { answer: 'here' } }, { kind: 'done', answer: { value: 'here' } }],
  ['with not possible', { done: { not_possible: true } }, { kind: 'done', answer: { not_possible: true } }],
  ['with giving up', { give_up: 'no such note' }, { kind: 'give_up', reason: 'no such note' }],
])('a plan %s ends so', async (_, end, expected) => {
  expect((await work([plan({ calls: [], ...end })])).moves.at(-1)).toEqual(expected);
});

test.each(['```json\n{"calls": []}\n```', 'Here it is:\n```\n{"calls": []}\n```\nDone.', ' {"calls": []} '])(
  'the plan may stand in one fenced block: %j',
  async (text) => {
    expect((await work([reply([textPart(text)])])).moves.at(-1)).toEqual({ kind: 'done', answer: null });
  },
);

describe('a reply without a plan is the agent’s failure, and is not asked for again:', () => {
  test.each<[string, ModelReply, string]>([
    ['text', reply([textPart('I would click.')]), 'is not valid JSON'],
    ['nothing', reply([]), 'JSON'],
    ['two blocks', reply([textPart('```\n{"calls": []}\n```\n```\n{"calls": []}\n```')]), 'it holds 2 blocks'],
    ['blocks that begin and never end', reply([textPart('```json\n'.repeat(200_000))]), 'JSON'],
    ['another shape', plan({ steps: [] }), 'calls'],
    ['arguments that are no object', plan({ calls: [{ tool: 'open', args: 'x' }] }), 'calls.0.args'],
    ['two ends', plan({ calls: [], done: {}, give_up: 'no' }), 'ends in two ways'],
    ['a call that was not offered', reply([call('open')]), 'JSON'],
    ['a plan that was cut off', reply([textPart('{"calls": []}')], { ending: 'cut_off' }), 'cut off by the limit'],
  ])('%s', async (_, answer, expected) => {
    await expect(work([answer])).rejects.toMatchObject({
      code: 'reply_without_plan',
      params: { why: expect.stringContaining(expected) },
    });
  });
});

test('a refusal gives up', async () => {
  const { moves } = await work([reply([textPart('No.')], { ending: 'refusal', stopReason: 'refusal' })]);
  expect(moves.at(-1)).toEqual({ kind: 'give_up', reason: 'the model refused (refusal): No.' });
});

test('a cassette that has recorded another request is drift', async () => {
  const { moves } = await work([new ModelDrift('message 1', 'it is another')]);
  expect(moves.at(-1)).toEqual({ kind: 'drift', of: 'model', expected: 'message 1', actual: 'it is another' });
});
