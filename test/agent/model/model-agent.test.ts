import { describe, expect, test } from 'vitest';
import type { AgentSeat } from '../../../src/agent/agent.ts';
import { modelAgent } from '../../../src/agent/model/model-agent.ts';
import { OutageError, type TurnEnd } from '../../../src/agent/turn.ts';
import { ModelDrift, ModelError, type ModelReply } from '../../../src/model/conversation.ts';
import { seatWith } from '../seat.ts';
import { call, movesWith, PICTURE, PROMPT, reply, textPart } from './scripted-model.ts';

const replyTo = (tool: string) =>
  tool === 'nowhere'
    ? { ok: false, kind: 'error', text: 'nowhere is no tool' }
    : { ok: true, kind: 'text', text: `${tool} done` };

/** An agent whose model replies so, on a surface with two tools. */
function work(script: readonly (ModelReply | Error)[], seat: Partial<AgentSeat> = {}, replies = replyTo) {
  return movesWith(modelAgent, script, { ...seatWith(['open', 'click']), ...seat }, replies);
}

const DONE = reply([call('done')]);

test('is given the goal, the start and the caps, and neither contract nor solution', async () => {
  const { asked } = await work([DONE]);
  expect(asked[0]?.messages).toEqual([
    {
      from: 'user',
      text: 'Send the form.\n\nThe browser shows http://a.test/. You may make at most 10 calls of tools.',
    },
  ]);
  expect(asked[0]?.system).toBe(`${PROMPT.system}\n\n${PROMPT.multi_turn}`);
});

test('a goal with the prompt’s own placeholders is passed on unchanged', async () => {
  const { brief } = seatWith();
  const { asked } = await work([DONE], { brief: { ...brief, goal: 'Type {{start_url}}.' } });
  expect(asked[0]?.messages[0]).toMatchObject({ text: expect.stringContaining('Type {{start_url}}.') });
});

test('is offered the tools of the surface, as they are at each turn, and two that end the episode', async () => {
  const tools = [...seatWith(['open']).tools];
  const { asked } = await work([reply([call('open')]), DONE], { tools }, (tool) => {
    tools.push(...seatWith(['later']).tools);
    return replyTo(tool);
  });
  expect(asked.map((each) => each.tools.map(({ name }) => name))).toEqual([
    ['open', 'done', 'give_up'],
    ['open', 'later', 'done', 'give_up'],
  ]);
});

test('passes on a picture as a picture', async () => {
  const { asked } = await work([reply([call('open')]), DONE], {}, () => PICTURE);
  const results = [{ id: 'open', tool: 'open', ok: true, text: 'Page: a', picture: { base64: 'AAAA' } }];
  expect(asked[1]?.messages.at(-1)).toEqual({ from: 'tools', results });
});

test('calls of one reply are made one after the other, and answered together', async () => {
  const script = [reply([textPart('Both.'), call('open', { a: 1 }), call('click', { a: 2 })]), DONE];
  const { moves, asked } = await work(script);
  expect(moves).toEqual([
    { kind: 'call', call: { tool: 'open', args: { a: 1 } } },
    { kind: 'call', call: { tool: 'click', args: { a: 2 } } },
    { kind: 'done', answer: null },
  ]);
  expect(asked[1]?.messages.slice(1)).toEqual([
    { from: 'model', parts: script[0]?.parts },
    {
      from: 'tools',
      results: [
        { id: 'open', tool: 'open', ok: true, text: 'open done' },
        { id: 'click', tool: 'click', ok: true, text: 'click done' },
      ],
    },
  ]);
});

test('a call of an unknown tool is made, since the surface refuses and counts it', async () => {
  const { moves, asked } = await work([reply([call('nowhere')]), DONE]);
  expect(moves[0]).toEqual({ kind: 'call', call: { tool: 'nowhere', args: {} } });
  expect(asked[1]?.messages.at(-1)).toMatchObject({ results: [{ ok: false, text: 'nowhere is no tool' }] });
});

test.each([
  ['arguments that are not an object', call('open', 'x'), 'the arguments are not a JSON object'],
  ['to give up without a reason', call('give_up', {}), 'reason'],
])('%s: the model is told, and nothing is done', async (_, wrong, problem) => {
  const { moves, asked } = await work([reply([wrong]), DONE]);
  expect(moves).toEqual([{ kind: 'done', answer: null }]);
  expect(asked[1]?.messages.at(-1)).toMatchObject({ results: [{ ok: false, text: expect.stringContaining(problem) }] });
});

describe('it ends', () => {
  test.each([
    [{}, null],
    [{ answer: '42' }, { value: '42' }],
    [{ answer: 42 }, { value: 42 }],
    [{ answer: ['x', 1] }, { value: '["x",1]' }],
    [{ answer: { name: 'x' } }, { value: '{"name":"x"}' }],
    [{ answer: true }, { value: 'true' }],
    [{ not_possible: true }, { not_possible: true }],
    [{ answer: null, not_possible: false }, null],
  ])('with done %j as the answer %j', async (args, answer) => {
    expect((await work([reply([call('done', args)])])).moves).toEqual([{ kind: 'done', answer }]);
  });

  test('by giving up, with its reason', async () => {
    const { moves } = await work([reply([call('give_up', { reason: 'no such note' })])]);
    expect(moves).toEqual([{ kind: 'give_up', reason: 'no such note' }]);
  });

  test('with done after the calls before it, but not with those after it', async () => {
    const { moves } = await work([reply([call('open'), call('done'), call('click')])]);
    expect(moves.map((move) => (move.kind === 'call' ? move.call.tool : move.kind))).toEqual(['open', 'done']);
  });

  test('by giving up, when the model refuses', async () => {
    const refusal = reply([textPart('I will not.')], { ending: 'refusal', stopReason: 'refusal' });
    expect((await work([refusal])).moves).toEqual([
      { kind: 'give_up', reason: 'the model refused (refusal): I will not.' },
    ]);
  });
});

describe('a reply with nothing to carry out', () => {
  const silent = reply([textPart('All done!')], { stopReason: 'end_turn' });
  const empty = reply([], { stopReason: 'end_turn' });
  const torn = reply([call('open', { url: 'http' })], { ending: 'cut_off', stopReason: 'max_tokens' });

  test.each([
    ['without a call', silent, { from: 'user', text: PROMPT.no_call }],
    ['that is empty', empty, { from: 'user', text: PROMPT.no_call }],
    [
      'that was cut off',
      torn,
      { from: 'tools', results: [{ id: 'open', tool: 'open', ok: false, text: PROMPT.cut_off }] },
    ],
  ])('(%s) gets one reminder, and its calls are not made', async (_, nothing, reminder) => {
    const { moves, asked } = await work([nothing, DONE]);
    expect(moves).toEqual([{ kind: 'done', answer: null }]);
    expect(asked[1]?.messages.at(-1)).toEqual(reminder);
  });

  test('after another is the agent’s failure', async () => {
    await expect(work([silent, torn, DONE])).rejects.toMatchObject({
      code: 'replies_without_call',
      params: { count: 2 },
    });
  });

  test('does not count with an earlier one if calls came between', async () => {
    const { moves } = await work([silent, reply([call('open')]), silent, DONE]);
    expect(moves.at(-1)).toEqual({ kind: 'done', answer: null });
  });
});

test('a surface whose tool has the name of one of the agent’s own cannot be used', async () => {
  await expect(work([DONE], { tools: seatWith(['done']).tools })).rejects.toMatchObject({
    code: 'tool_name_taken',
    params: { tool: 'done' },
  });
});

describe('an error instead of a reply', () => {
  test('from a provider that failed is proof from outside', async () => {
    await expect(work([new ModelError('outage', 'the provider answered 500')])).rejects.toThrow(OutageError);
  });

  test.each(['refused', 'malformed'] as const)('(%s) is the agent’s own failure', async (kind) => {
    const failing = work([new ModelError(kind, 'no')]);
    await expect(failing).rejects.toThrow('no');
    await expect(failing).rejects.not.toThrow(OutageError);
  });

  test('from a cassette that has recorded another request is drift', async () => {
    const { moves } = await work([new ModelDrift('message 1', 'it is another')]);
    expect(moves).toEqual([{ kind: 'drift', of: 'model', expected: 'message 1', actual: 'it is another' }]);
  });
});

test('each turn is reported: the request, the reply, the cost', async () => {
  const recorded: unknown[] = [];
  const turns = {
    afford: () => Promise.resolve(),
    held: () => {},
    begin: () => recorded.push('begin'),
    asked: (body: string) => recorded.push(body),
    retried: () => {},
    end: (end: TurnEnd) => recorded.push(end),
  };
  await work([reply([call('open')]), new ModelError('malformed', 'no')], { turns }).catch(() => {});
  expect(recorded).toEqual([
    'begin',
    'request 1',
    {
      reply: 'reply 1',
      problem: null,
      stopReason: 'tool_use',
      modelId: 'claude-x',
      modelMs: 12,
      usage: { tokensIn: 130, tokensCached: 20, tokensCacheWritten: 10, tokensOut: 5, costUsd: 0.0004185 },
    },
    'begin',
    'request 2',
    { reply: null, problem: 'no', stopReason: null, modelId: null, modelMs: null, usage: null },
  ]);
});
