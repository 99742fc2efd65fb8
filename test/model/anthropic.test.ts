import { describe, expect, test } from 'vitest';
import { ask, modelAt, QUESTION } from './asking.ts';
import { calls, fakeAnthropic, message, use } from './fake-anthropic.ts';
import { type Answer, status } from './fake-provider.ts';

// Requests, replies and failures that all providers share are in providers.test.ts.

const FINE = calls(['open', { url: 'http://a.test/' }]);

test('a request marks the prompt and the conversation so far for the cache of the provider', async () => {
  await using fake = await fakeAnthropic([FINE]);
  await ask(modelAt(fake.url));
  const ephemeral = { cache_control: { type: 'ephemeral' } };
  expect(fake.asked[0]?.headers).toMatchObject({ 'anthropic-version': '2023-06-01' });
  expect(fake.asked[0]?.body.system).toMatchObject([ephemeral]);
  expect(fake.asked[0]?.body.messages.at(-1)?.content).toMatchObject([ephemeral]);
});

test('results of calls are returned, and marked if they failed', async () => {
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

test('tokens are counted as fresh, read from the cache, and written to it', async () => {
  const usage = { input_tokens: 7, cache_read_input_tokens: 900, cache_creation_input_tokens: 50, output_tokens: 3 };
  await using fake = await fakeAnthropic([message({ content: [use('open', {})], usage })]);
  expect((await ask(modelAt(fake.url))).reply?.usage).toEqual({ input: 7, cacheRead: 900, cacheWrite: 50, output: 3 });
});

test('a count above the total of tokens is malformed', async () => {
  await using fake = await fakeAnthropic([message({ content: [], usage: { input_tokens: 1e308 } }), FINE]);
  expect((await ask(modelAt(fake.url))).error).toMatchObject({ name: 'ModelError', kind: 'malformed' });
  expect(fake.asked).toHaveLength(1);
});

describe('a failure of the provider', () => {
  test('gets 30 seconds at most, even if it asks for more', async () => {
    await using fake = await fakeAnthropic([status(529, 'slow', { 'retry-after': '3600' }), FINE]);
    expect((await ask(modelAt(fake.url))).retries).toMatchObject([{ waitMs: 30_000 }]);
  });

  test('may be a refused connection', async () => {
    const fake = await fakeAnthropic([]);
    await fake.close();
    const { error } = await ask(modelAt(fake.url));
    expect(error).toMatchObject({ kind: 'outage', message: expect.stringContaining('ECONNREFUSED') });
  });

  test.each([
    [401, 'invalid x-api-key'],
    [402, 'billing'],
    [404, 'model: claude-sonnet-4-6'],
    [400, 'Your credit balance is too low to access the Anthropic API.'],
  ])('may be a rejected account: %i %s, without a retry', async (code, said) => {
    await using fake = await fakeAnthropic([status(code, said), FINE]);
    const { error } = await ask(modelAt(fake.url));
    expect(error).toMatchObject({ kind: 'turned_away', message: expect.stringContaining(said) });
    expect(fake.asked).toHaveLength(1);
  });
});

test('a stopped request is not repeated', async () => {
  const stop = new AbortController();
  const hangs: Answer = () => {
    stop.abort(new Error('the wall cap'));
  };
  await using fake = await fakeAnthropic([hangs, FINE]);
  const { error } = await ask(modelAt(fake.url), QUESTION, stop.signal);
  expect(error).toMatchObject({ message: 'the wall cap' });
  expect(fake.asked).toHaveLength(1);
});

test('the key does not follow a redirect', async () => {
  await using elsewhere = await fakeAnthropic([FINE, FINE, FINE]);
  const redirects: Answer = (response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end();
  };
  await using fake = await fakeAnthropic([redirects, redirects, redirects]);
  expect((await ask(modelAt(fake.url))).error).toMatchObject({ kind: 'outage' });
  expect(elsewhere.asked).toEqual([]);
});
