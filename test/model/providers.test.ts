import { describe, expect, test } from 'vitest';
import { parseCassette, recording, replaying, type CassetteExchange } from '../../src/model/cassette.ts';
import type { ModelReply, ModelQuestion } from '../../src/model/conversation.ts';
import { MODELS } from '../../src/model/models.ts';
import { overNetwork, type Transport } from '../../src/model/patient.ts';
import { ask, CASSETTE_HEADER, providerAt, QUESTION } from './asking.ts';
import { type Answer, breaksOff, fakeProvider, hang, status, text } from './fake-provider.ts';
import { type Said, WIRE_FORMATS, type WireFormat } from './wire-formats.ts';

const CALLS: Said = { calls: [['open', { url: 'http://a.test/' }]] };

/** Asks a fake that speaks this format once. */
async function askOnce(
  { provider, base }: WireFormat,
  script: readonly Answer[],
  {
    question = QUESTION,
    ...settings
  }: {
    question?: ModelQuestion;
    key?: string | null;
    callTimeoutMs?: number;
    temperature?: number | null;
  } = {},
) {
  await using fake = await fakeProvider<unknown>(script);
  const asking = await ask(providerAt(provider, `${fake.url}${base}`, settings), question);
  return { ...asking, asked: fake.asked };
}

/** The conversation after a reply whose calls were made. */
function after(reply: ModelReply | null): ModelQuestion {
  const parts = reply?.parts ?? [];
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
  const results = calls.map(({ id, tool }, index) => ({ id, tool, ok: index === 0, text: `came of ${index}` }));
  return { ...QUESTION, messages: [...QUESTION.messages, { from: 'model', parts }, { from: 'tools', results }] };
}

function callsIn(reply: ModelReply | null) {
  return (reply?.parts ?? []).flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}

describe.each(WIRE_FORMATS.map((format) => ({ provider: format.provider, format })))('$provider', ({ format }) => {
  const answers = (said: Said): Answer => text(format.reply(said));

  test('is sent the pinned settings, the tools and the key, and no request for a stream', async () => {
    const { asked } = await askOnce(format, [answers(CALLS)]);
    const [name, value] = format.key;
    expect(asked[0]).toMatchObject({ path: format.path, headers: { [name]: value } });
    expect(format.hear(asked[0]?.body)).toEqual({
      system: QUESTION.system,
      tools: ['open'],
      maxTokens: 2048,
      temperature: 0,
      results: [],
    });
    expect(asked[0]?.body).not.toHaveProperty('stream');
  });

  test('is offered no tools if there are none', async () => {
    const { asked, reply } = await askOnce(format, [answers({ text: '{}', stop: 'end' })], {
      question: { ...QUESTION, tools: [] },
    });
    expect(asked[0]?.body).not.toHaveProperty('tools');
    expect(reply?.parts).toMatchObject([{ kind: 'text', text: '{}' }]);
  });

  test('calls several tools at once, and gets each result by its id', async () => {
    const said: Said = {
      text: 'Both.',
      calls: [
        ['open', { a: 1 }],
        ['open', { a: 2 }],
      ],
    };
    const { reply } = await askOnce(format, [answers(said)]);
    const calls = callsIn(reply);
    expect(calls).toMatchObject([
      { tool: 'open', args: { a: 1 } },
      { tool: 'open', args: { a: 2 } },
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(reply).toMatchObject({ ending: 'whole', modelId: 'm-2026-01-01' });
    const { asked } = await askOnce(format, [answers(CALLS)], { question: after(reply) });
    expect(format.hear(asked[0]?.body).results).toEqual(
      calls.map(({ id }, index) => ({ id, text: `came of ${index}` })),
    );
  });

  test('counts each token once, whether it was cached or reasoned', async () => {
    const said: Said = { ...CALLS, fresh: 70, cached: 900, written: 3, reasoned: 40 };
    const { reply } = await askOnce(format, [answers(said)]);
    expect(reply?.usage).toEqual({ input: 70, cacheRead: 900, cacheWrite: 0, output: 43 });
  });

  test.each<[ModelReply['ending'], Said]>([
    ['cut_off', { ...CALLS, stop: 'length' }],
    ['refusal', { stop: 'refusal' }],
    ['whole', { text: 'There.', stop: 'end' }],
  ])('ends %s', async (ending, said) => {
    expect((await askOnce(format, [answers(said)])).reply).toMatchObject({ ending });
  });

  test.each<Said>([{ stop: 'end' }, { text: ' \n', stop: 'end' }])('may reply with nothing: %j', async (said) => {
    expect((await askOnce(format, [answers(said)])).reply?.parts).toEqual([]);
  });

  test('gets the wait that it asks for, which is reported', async () => {
    const { reply, retries } = await askOnce(format, [status(429, 'slow', { 'retry-after': '7' }), answers(CALLS)]);
    expect(reply).not.toBeNull();
    expect(retries).toEqual([{ why: 'the provider answered 429', waitMs: 7_000 }]);
  });

  test.each<[string, Answer, RegExp]>([
    ['500', status(500), /^the provider answered 500, after 2 retries$/],
    ['a reply that breaks off', breaksOff(format.reply(CALLS)), /^no whole reply came .+, after 2 retries$/],
    ['silence', hang, /^the provider did not answer within 300 ms, after 2 retries$/],
  ])('(%s) is asked again twice, and then counts as an outage', async (_, failure, expected) => {
    const settings = failure === hang ? { callTimeoutMs: 300 } : {};
    const { error, retries } = await askOnce(format, [failure, failure, failure, answers(CALLS)], settings);
    expect(error).toMatchObject({ kind: 'outage', message: expect.stringMatching(expected) });
    expect(retries.map(({ waitMs }) => waitMs)).toEqual([1_000, 2_000]);
  });

  test.each<[string, Answer, string]>([
    ['a request that is refused', status(400, 'too long'), 'refused'],
    ['an unknown key', status(400, 'API key not valid. Please pass a valid API key.'), 'turned_away'],
    ['an account that it does not serve', status(403), 'turned_away'],
    ['a reply that is no JSON', text('{"choices": ['), 'malformed'],
    ['a reply of another kind', text('{"pages": []}'), 'malformed'],
    ['a reply that counts nothing', text(uncounted(format.reply(CALLS))), 'malformed'],
    ['a reply that counts less than nothing', answers({ ...CALLS, fresh: -2_000_000 }), 'malformed'],
    ['a reply that counts parts of tokens', answers({ ...CALLS, written: 0.5 }), 'malformed'],
  ])('is not asked again after %s', async (_, answer, kind) => {
    const { error, asked, retries } = await askOnce(format, [answer, answers(CALLS)]);
    expect(error).toMatchObject({ name: 'ModelError', kind });
    expect([asked.length, retries]).toEqual([1, []]);
  });

  test('is replayed from a cassette, call after call, and a changed message is drift', async () => {
    const { exchanges, first, second } = await recorded(format);
    const replay = (question: ModelQuestion, transport: Transport) =>
      ask(providerAt(format.provider, 'http://cassette.invalid', { key: 'none', transport }), question);
    const cassette = parseCassette(
      [CASSETTE_HEADER, ...exchanges].map((line) => JSON.stringify(line)).join('\n'),
      'file',
    );
    const again = replaying(cassette, (said) => said);
    const { reply } = await replay(QUESTION, again);
    expect(reply).toEqual(first);
    expect((await replay(after(reply), again)).reply).toEqual(second);
    const changed: ModelQuestion = { ...QUESTION, messages: [{ from: 'user', text: 'Close the page.' }] };
    const { error } = await replay(
      changed,
      replaying(cassette, (said) => said),
    );
    expect(error).toMatchObject({ name: 'ModelDrift', message: expect.stringMatching(/message \d of request 1/) });
  });
});

/** Two turns with a fake, as a cassette holds them. */
async function recorded({ provider, base, reply: body }: WireFormat) {
  const said: Said = { ...CALLS, reasoned: 5 };
  await using fake = await fakeProvider<unknown>([text(body(said)), text(body({ text: 'Done.', stop: 'end' }))]);
  const exchanges: CassetteExchange[] = [];
  const keep = async (exchange: CassetteExchange): Promise<void> => {
    exchanges.push(exchange);
  };
  const transport = recording(overNetwork, (each) => each, keep);
  const model = providerAt(provider, `${fake.url}${base}`, { transport });
  const first = (await ask(model)).reply;
  const second = (await ask(model, after(first))).reply;
  expect([first?.parts.length, second?.parts.length].every((count) => count !== undefined && count > 0)).toBe(true);
  return { exchanges, first, second };
}

/** The same reply without its counts of tokens. */
function uncounted(body: string): string {
  const { usage: _, usageMetadata: __, ...rest } = JSON.parse(body);
  return JSON.stringify(rest);
}

function formatOf(provider: WireFormat['provider']): WireFormat {
  const format = WIRE_FORMATS.find((each) => each.provider === provider);
  if (format === undefined) throw new Error(`${provider} has no wire format`);
  return format;
}

describe('a single provider:', () => {
  test.each(['openai', 'deepseek', 'openai-compatible'] as const)(
    'arguments of %s that are not JSON are kept as text, and not asked for again',
    async (provider) => {
      const format = formatOf(provider);
      const { reply, asked } = await askOnce(format, [text(format.reply({ calls: [['open', '{"url": ']] }))]);
      expect(callsIn(reply)).toMatchObject([{ tool: 'open', args: '{"url": ' }]);
      expect(asked).toHaveLength(1);
      const next = await askOnce(format, [text(format.reply(CALLS))], { question: after(reply) });
      expect(format.hear(next.asked[0]?.body).results).toMatchObject([{ text: 'came of 0' }]);
    },
  );

  test('Google’s signature of its thoughts is returned with the call', async () => {
    const format = formatOf('google');
    const { reply } = await askOnce(format, [text(format.reply({ ...CALLS, reasoned: 9 }))]);
    const { asked } = await askOnce(format, [text(format.reply(CALLS))], { question: after(reply) });
    expect(JSON.stringify(asked[0]?.body)).toContain('"thoughtSignature":"c2lnbmF0dXJl"');
  });

  test('DeepSeek’s reasoning is returned with the call, and is not text of the reply', async () => {
    const format = formatOf('deepseek');
    const { reply } = await askOnce(format, [text(format.reply({ ...CALLS, reasoned: 9 }))]);
    expect(reply?.parts).toMatchObject([{ kind: 'thought', text: 'Let me think.' }, { kind: 'call' }]);
    const { asked } = await askOnce(format, [text(format.reply(CALLS))], { question: after(reply) });
    expect(asked[0]?.body).toMatchObject({
      messages: [{}, {}, { role: 'assistant', reasoning_content: 'Let me think.' }, { role: 'tool' }],
    });
  });

  test('DeepSeek does not think at a temperature, and does without one', async () => {
    const format = formatOf('deepseek');
    const bodyAt = async (temperature: number | null) =>
      (await askOnce(format, [text(format.reply(CALLS))], { temperature })).asked[0]?.body;
    expect(await bodyAt(0)).toMatchObject({ temperature: 0, thinking: { type: 'disabled' } });
    expect(await bodyAt(null)).not.toHaveProperty('thinking');
  });

  test('OpenAI’s refusal is in a field of its own', async () => {
    const format = formatOf('openai');
    const body = JSON.parse(format.reply({ stop: 'end' }));
    body.choices[0].message.refusal = 'I cannot help with that.';
    const { reply } = await askOnce(format, [text(JSON.stringify(body))]);
    expect(reply).toMatchObject({ ending: 'refusal', parts: [{ kind: 'text', text: 'I cannot help with that.' }] });
  });

  test('a local model needs no key, and none is sent', async () => {
    const format = formatOf('openai-compatible');
    const { asked, reply } = await askOnce(format, [text(format.reply(CALLS))], { key: null });
    expect(reply).not.toBeNull();
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test('a reply of Google’s that asks for a continuation gets none, which would be an uncounted call', async () => {
    const format = formatOf('google');
    const body = JSON.parse(format.reply(CALLS));
    Object.assign(body.candidates[0], { finishReason: 'CONTINUATION', continuationToken: 'more' });
    const { error, asked } = await askOnce(format, [text(JSON.stringify(body)), text(format.reply(CALLS))]);
    expect(error).toMatchObject({ kind: 'malformed' });
    expect(asked).toHaveLength(1);
  });
});

test('a reasoner is sent its higher limit of tokens, and no temperature', async () => {
  const format = formatOf('openai');
  await using fake = await fakeProvider<unknown>([text(format.reply(CALLS))]);
  const model = MODELS.find(({ id }) => id === 'o4-mini');
  if (model === undefined) throw new Error('o4-mini is no longer known');
  await ask(providerAt('openai', `${fake.url}/v1`, { id: model.id, maxOutputTokens: model.maxOutputTokens }));
  expect(fake.asked[0]?.body).toMatchObject({ model: 'o4-mini', max_completion_tokens: 8192 });
  expect(format.hear(fake.asked[0]?.body).temperature).toBeUndefined();
});
