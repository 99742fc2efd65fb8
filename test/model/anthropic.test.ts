import { describe, expect, test } from 'vitest';
import { ask, modelAt, QUESTION } from './asking.ts';
import { breakOff, calls, fakeAnthropic, message, use } from './fake-anthropic.ts';
import { type Answer, hang, status, text } from './fake-provider.ts';

const FINE = calls(['open', { url: 'http://a.test/' }]);

describe('a request', () => {
  test('carries the pinned settings, the tools, the key, and asks for no stream', async () => {
    await using fake = await fakeAnthropic([FINE]);
    await ask(modelAt(fake.url));
    const [asked] = fake.asked;
    expect(asked?.path).toBe('/v1/messages');
    expect(asked?.headers).toMatchObject({ 'x-api-key': 'sk-test-key', 'anthropic-version': '2023-06-01' });
    expect(asked?.body).toMatchObject({ model: 'claude-sonnet-4-6', max_tokens: 2048, temperature: 0 });
    expect(asked?.body.stream).toBeUndefined();
    expect(asked?.body.tools).toEqual([
      { name: 'open', description: 'Opens a page.', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  test('tells the provider what may be cached: the prompt, and the conversation so far', async () => {
    await using fake = await fakeAnthropic([FINE]);
    await ask(modelAt(fake.url));
    const ephemeral = { cache_control: { type: 'ephemeral' } };
    expect(fake.asked[0]?.body.system).toMatchObject([ephemeral]);
    expect(fake.asked[0]?.body.messages.at(-1)?.content).toMatchObject([ephemeral]);
  });

  test('gives results of calls back, and says which of them failed', async () => {
    await using fake = await fakeAnthropic([FINE]);
    const args = { url: 'http://a.test/' };
    const parts = [{ kind: 'call', call: { id: 't1', tool: 'open', args } }] as const;
    const results = [{ id: 't1', tool: 'open', ok: false, text: 'no such page' }];
    const messages = [...QUESTION.messages, { from: 'model', parts } as const, { from: 'tools', results } as const];
    await ask(modelAt(fake.url), { ...QUESTION, messages });
    expect(fake.asked[0]?.body.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'open', input: args }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'no such page', is_error: true }] },
    ]);
  });
});

describe('a reply', () => {
  test('with text and several calls is read in its order', async () => {
    const content = [{ type: 'text', text: 'First this.' }, use('open', { a: 1 }), use('open', { a: 2 })];
    await using fake = await fakeAnthropic([message({ content })]);
    const { reply } = await ask(modelAt(fake.url));
    expect(reply?.parts).toMatchObject([
      { kind: 'text', text: 'First this.' },
      { kind: 'call', call: { tool: 'open', args: { a: 1 } } },
      { kind: 'call', call: { tool: 'open', args: { a: 2 } } },
    ]);
    expect(reply).toMatchObject({ ending: 'whole', stopReason: 'tool_use', modelId: 'claude-sonnet-4-6' });
  });

  test('says how many tokens were read anew, from the cache, and written to it', async () => {
    const usage = { input_tokens: 7, cache_read_input_tokens: 900, cache_creation_input_tokens: 50, output_tokens: 3 };
    await using fake = await fakeAnthropic([message({ content: [use('open', {})], usage })]);
    const { reply } = await ask(modelAt(fake.url));
    expect(reply?.usage).toEqual({ input: 7, cacheRead: 900, cacheWrite: 50, output: 3 });
  });

  test.each([
    ['cut_off', 'max_tokens', [use('open', {})]],
    ['refusal', 'refusal', []],
    ['whole', 'end_turn', []],
  ])('is %s when it stopped with %s', async (ending, stop, content) => {
    await using fake = await fakeAnthropic([message({ content, stop })]);
    const { reply } = await ask(modelAt(fake.url));
    expect(reply).toMatchObject({ ending, stopReason: stop, parts: content.map(() => ({ kind: 'call' })) });
  });

  test('that is empty, or holds empty text, has no parts', async () => {
    const content = [{ type: 'text', text: ' \n' }];
    await using fake = await fakeAnthropic([message({ content, stop: 'end_turn' })]);
    expect((await ask(modelAt(fake.url))).reply?.parts).toEqual([]);
  });
});

describe('a failure of the provider', () => {
  test('that passes is waited out as long as the provider asks, and told', async () => {
    await using fake = await fakeAnthropic([status(429, 'slow', { 'retry-after': '7' }), FINE]);
    const { reply, retries } = await ask(modelAt(fake.url));
    expect(reply).not.toBeNull();
    expect(retries).toEqual([{ why: 'the provider answered 429', waitMs: 7_000 }]);
  });

  test('that asks for too long a wait is not waited for longer than 30 seconds', async () => {
    await using fake = await fakeAnthropic([status(529, 'slow', { 'retry-after': '3600' }), FINE]);
    expect((await ask(modelAt(fake.url))).retries).toMatchObject([{ waitMs: 30_000 }]);
  });

  test.each<[string, Answer, string]>([
    ['500', status(500), 'the provider answered 500'],
    ['a reply that breaks off', breakOff, 'no whole reply came from the provider'],
  ])('(%s) that comes twice is retried twice', async (_, failure, why) => {
    await using fake = await fakeAnthropic([failure, failure, FINE]);
    const { reply, retries } = await ask(modelAt(fake.url));
    expect(reply).not.toBeNull();
    expect(retries.map((retry) => [retry.why.startsWith(why), retry.waitMs])).toEqual([
      [true, 1_000],
      [true, 2_000],
    ]);
  });

  test.each<[string, Answer, RegExp]>([
    ['500', status(500), /^the provider answered 500, after 2 retries$/],
    ['a reply that breaks off', breakOff, /^no whole reply came from the provider \(.+\), after 2 retries$/],
    ['silence', hang, /^the provider did not answer within 300 ms, after 2 retries$/],
  ])('(%s) that goes on is an outage, after two retries', async (_, failure, expected) => {
    await using fake = await fakeAnthropic([failure, failure, failure, FINE]);
    const { error } = await ask(modelAt(fake.url, failure === hang ? { callTimeoutMs: 300 } : {}));
    expect(error).toMatchObject({ kind: 'outage', message: expect.stringMatching(expected) });
    expect(fake.asked).toHaveLength(3);
  });

  test('may be that nobody is there', async () => {
    const fake = await fakeAnthropic([]);
    await fake.close();
    const { error } = await ask(modelAt(fake.url));
    expect(error).toMatchObject({ kind: 'outage', message: expect.stringContaining('ECONNREFUSED') });
  });

  test.each([
    [401, 'invalid x-api-key'],
    [402, 'billing'],
    [403, 'not allowed'],
    [404, 'model: claude-sonnet-4-6'],
    [400, 'Your credit balance is too low to access the Anthropic API.'],
  ])('may be that it does not serve this account: %i %s, which no retry fixes', async (code, said) => {
    await using fake = await fakeAnthropic([status(code, said), FINE]);
    const { error } = await ask(modelAt(fake.url));
    expect(error).toMatchObject({ kind: 'turned_away', message: expect.stringContaining(said) });
    expect(fake.asked).toHaveLength(1);
  });
});

describe('what is no failure of the provider is never retried:', () => {
  test.each<[string, Answer, string]>([
    ['a request that is refused', status(400, 'prompt is too long'), 'refused'],
    ['a reply that is no JSON', text('{"content": ['), 'malformed'],
    ['a reply of another kind', text('{"choices": []}'), 'malformed'],
    ['a reply that counts less than nothing', text(countsOf(-1_000_000)), 'malformed'],
    ['a reply that counts parts of tokens', text(countsOf(10.5)), 'malformed'],
    ['a reply that counts more than there are', text(countsOf(1e308)), 'malformed'],
    ['a reply without usage', text('{"type":"message","content":[],"stop_reason":"end_turn"}'), 'malformed'],
  ])('%s', async (_, answer, kind) => {
    await using fake = await fakeAnthropic([answer, FINE]);
    const { error, retries } = await ask(modelAt(fake.url));
    expect(error).toMatchObject({ name: 'ModelError', kind });
    expect([fake.asked.length, retries]).toEqual([1, []]);
  });
});

test('who is no longer waited for is not asked again', async () => {
  const stop = new AbortController();
  const hangs: Answer = () => {
    stop.abort(new Error('the wall cap'));
  };
  await using fake = await fakeAnthropic([hangs, FINE]);
  const { error } = await ask(modelAt(fake.url), QUESTION, stop.signal);
  expect(error).toMatchObject({ message: 'the wall cap' });
  expect(fake.asked).toHaveLength(1);
});

test('the key is not carried to where a reply redirects', async () => {
  await using elsewhere = await fakeAnthropic([FINE, FINE, FINE]);
  const redirects: Answer = (response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end();
  };
  await using fake = await fakeAnthropic([redirects, redirects, redirects]);
  expect((await ask(modelAt(fake.url))).error).toMatchObject({ kind: 'outage' });
  expect(elsewhere.asked).toEqual([]);
});

/** A reply that is right but for the number of tokens that it says it has read. */
function countsOf(tokens: number): string {
  const usage = { input_tokens: tokens, output_tokens: 1 };
  const content = [{ type: 'text', text: 'Done.' }];
  const reply = { type: 'message', id: 'a', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage };
  return JSON.stringify(reply);
}
