import { describe, expect, test } from 'vitest';
import { type CassetteExchange, parseCassette, recording, replaying } from '../../src/model/cassette.ts';
import { ModelDrift } from '../../src/model/conversation.ts';
import type { HttpReply, Transport } from '../../src/model/patient.ts';
import { ask, CASSETTE_HEADER as HEADER, modelAt, QUESTION } from './asking.ts';
import { calls, fakeAnthropic, message } from './fake-anthropic.ts';
import { status, text } from './fake-provider.ts';

const NOWHERE = 'http://127.0.0.1:1';
const asIs = (said: string): string => said;

/** Records the answers in memory. */
function recorder(inner: Transport, redact = asIs) {
  const exchanges: CassetteExchange[] = [];
  const transport = recording(inner, redact, async (exchange) => {
    exchanges.push(exchange);
  });
  return { exchanges, transport };
}

const overFetch: Transport = async ({ url, headers, body }) => {
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
};

/** Asks over a cassette of these exchanges, as it is after having been written and read. */
function replay(exchanges: readonly CassetteExchange[], redact = asIs) {
  const lines = [HEADER, ...exchanges].map((line) => JSON.stringify(line)).join('\n');
  return modelAt(NOWHERE, { transport: replaying(parseCassette(lines, 'c.jsonl'), redact) });
}

test('recorded replies are replayed, without key or network', async () => {
  await using fake = await fakeAnthropic([calls(['open', { url: 'http://a.test/' }]), message({ content: [] })]);
  const { exchanges, transport } = recorder(overFetch);
  const model = modelAt(fake.url, { transport });
  const first = [await ask(model), await ask(model)];
  const again = replay(exchanges);
  const second = [await ask(again), await ask(again)];
  expect(second).toEqual(first);
  expect(first[0]?.reply?.parts).toMatchObject([{ call: { args: { url: 'http://a.test/' } } }]);
});

test('a reply that was not JSON is the same again', async () => {
  await using fake = await fakeAnthropic([text('{"content": [')]);
  const { exchanges, transport } = recorder(overFetch);
  const first = await ask(modelAt(fake.url, { transport }));
  expect(first.error).toMatchObject({ kind: 'malformed' });
  expect(await ask(replay(exchanges))).toEqual(first);
});

test('failures of the provider are not recorded', async () => {
  await using fake = await fakeAnthropic([status(500), status(429), calls(['open', {}])]);
  const { exchanges, transport } = recorder(overFetch);
  await ask(modelAt(fake.url, { transport }));
  expect(exchanges.map((exchange) => exchange.status)).toEqual([200]);
});

test('secrets are replaced in requests and replies, and found again on replay', async () => {
  const redact = (said: string): string => said.replaceAll('hunter22', '[secret:PASSWORD]');
  const question = { ...QUESTION, messages: [{ from: 'user', text: 'Sign in with hunter22.' } as const] };
  await using fake = await fakeAnthropic([message({ content: [{ type: 'text', text: 'With hunter22?' }] })]);
  const { exchanges, transport } = recorder(overFetch, redact);
  await ask(modelAt(fake.url, { transport }), question);
  expect(JSON.stringify(exchanges)).not.toContain('hunter22');
  expect((await ask(replay(exchanges, redact), question)).error).toBeNull();
});

test('a cassette that cannot be written is not a failure of the provider', async () => {
  await using fake = await fakeAnthropic([calls(['open', {}])]);
  const transport = recording(overFetch, asIs, () => Promise.reject(new Error('disk full')));
  const { error, retries } = await ask(modelAt(fake.url, { transport }));
  expect([error, retries]).toMatchObject([{ kind: 'refused', message: expect.stringContaining('disk full') }, []]);
});

describe('a request that was not recorded is drift, with the first difference:', () => {
  const request = {
    model: 'm',
    temperature: 0,
    system: 'Operate.',
    tools: [{ name: 'open' }, { name: 'click' }],
    messages: [
      { role: 'user', content: 'Delete the note.' },
      { role: 'user', content: 'It is gone.' },
    ],
  };
  const reply: HttpReply = { status: 200, headers: {}, body: '{}' };
  const send = async (recorded: unknown, now: unknown) => {
    const exchanges = [{ kind: 'exchange', request: recorded, status: 200, reply: {} } as const];
    const transport = replaying({ header: HEADER, exchanges }, asIs);
    const asked = { url: NOWHERE, headers: {}, body: JSON.stringify(now) };
    return await transport(asked, new AbortController().signal).catch((error: unknown) => error);
  };

  test.each([
    ['a setting', { temperature: 1 }, '"temperature" of request 1'],
    ['the system prompt', { system: 'Drive.' }, 'the system prompt of request 1'],
    ['a tool', { tools: [{ name: 'open' }, { name: 'press' }] }, 'tool 2 of request 1'],
    ['a tool that is new', { tools: [...request.tools, { name: 'press' }] }, 'tool 3 of request 1'],
    ['a message', { messages: [{ role: 'user', content: 'Delete the list.' }] }, 'message 1 of request 1'],
    ['a message that is missing', { messages: request.messages.slice(0, 1) }, 'message 2 of request 1'],
  ])('%s', async (_, change, named) => {
    const drift = await send(request, { ...request, ...change });
    expect(drift).toBeInstanceOf(ModelDrift);
    expect(drift).toMatchObject({ expected: expect.stringContaining(named) });
  });

  test('but half a surrogate pair is not, on either side', async () => {
    const said = { messages: [{ role: 'user', content: 'cut \ud83d', '\ud83d': 1 }] };
    expect(await send({ ...request, ...said }, { ...request, ...said })).toMatchObject({ status: 200 });
    expect(await send({ ...request, ...said }, request)).toBeInstanceOf(ModelDrift);
  });

  test('even if the record holds no request', async () => {
    expect(await send(null, request)).toMatchObject({ expected: 'the body of request 1 as recorded, null' });
  });

  test('with the text before and after', async () => {
    const change = { messages: [{ role: 'user', content: 'Delete the list.' }, request.messages[1]] };
    const drift = await send(request, { ...request, ...change });
    expect(String(drift)).toContain('"content":"Delete the note.","role":"user"}');
    expect(String(drift)).toContain('"content":"Delete the list.","role":"user"}');
  });

  test('and so is one request too many', async () => {
    const [drift] = [await ask(replay([]))];
    expect(drift.error).toMatchObject({ expected: 'no more than the 0 requests that were recorded' });
    expect(drift.retries).toEqual([]);
  });

  test.each([
    ['ports', 'at http://127.0.0.1:4001/a', 'at http://127.0.0.1:39999/a'],
    ['times', 'page-2026-11-22T09-01-02-345Z.yml', 'page-2027-01-02T00-00-00-001Z.yml'],
    ['UUIDs', '8f14e45f-ceea-467f-a9d2-1b1d4b0c1a2b', '0cc175b9-c0f1-46b6-831c-399e269772661'.slice(0, 36)],
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('but %s may differ', async (_, was, is) => {
    const holding = (content: unknown) => ({ ...request, messages: [{ role: 'user', content }] });
    expect(await send(holding(was), holding(is))).toEqual(reply);
  });
});

test.each([
  ['', 'c.jsonl:1'],
  ['{"kind":"exchange"}', 'c.jsonl:1'],
  [`${JSON.stringify(HEADER)}\n{"kind":"exchange","request":{}`, 'c.jsonl:2'],
])('a broken cassette is reported with its line: %j', (lines, place) => {
  expect(() => parseCassette(lines, 'c.jsonl')).toThrow(place);
});

const EXCHANGE = { kind: 'exchange', request: {}, status: 200, reply: {} };

test.each([
  ['whose model has a name that no row could hold', { model_id: 'x'.repeat(1_001) }, {}, 'c.jsonl:1'],
  ['whose host has one', { model_endpoint: 'x'.repeat(1_001) }, {}, 'c.jsonl:1'],
  ['with a reply that no bundle could hold', {}, { reply: { text: 'x'.repeat(8 * 1024 * 1024) } }, 'c.jsonl:2'],
])('a cassette %s is broken, and reported with its line', (_what, header, exchange, place) => {
  const lines = [
    { ...HEADER, ...header },
    { ...EXCHANGE, ...exchange },
  ].map((line) => JSON.stringify(line));
  expect(() => parseCassette(lines.join('\n'), 'c.jsonl')).toThrow(place);
});

test('a cassette with a long name and a long reply is not', () => {
  const header = { ...HEADER, model_id: 'x'.repeat(1_000) };
  const exchange = { ...EXCHANGE, reply: { text: 'x'.repeat(8_000_000) } };
  expect(() => parseCassette(`${JSON.stringify(header)}\n${JSON.stringify(exchange)}`, 'c.jsonl')).not.toThrow();
});
