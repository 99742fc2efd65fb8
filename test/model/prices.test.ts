import { expect, test } from 'vitest';
import { MODELS, unlistedModel } from '../../src/model/models.ts';
import { costOf, listPrice, mostOf, parsePrices, type PriceTable } from '../../src/model/prices.ts';
import { endpointAt, modelIdAt } from '../../src/model/endpoint.ts';
import { PROVIDERS } from '../../src/model/providers.ts';

const PRICE = { input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 };
const NONE = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

test.each([
  ['read without a cache', { input: 1_000_000 }, 3],
  ['read from the cache', { cacheRead: 1_000_000 }, 0.3],
  ['written to the cache', { cacheWrite: 1_000_000 }, 3.75],
  ['written', { output: 1_000_000 }, 15],
  ['of each kind', { input: 100, cacheRead: 1_000, cacheWrite: 10, output: 20 }, 0.0009375],
])('tokens %s are billed once, at the price of their kind', (_, usage, usd) => {
  expect(costOf({ ...NONE, ...usage }, PRICE)).toBeCloseTo(usd, 12);
});

test.each(MODELS.map(({ id, provider, price }) => ({ id, provider, price })))(
  '$id has prices with a date, and its cache is cheaper to read than its input, and no cheaper to write',
  ({ provider, price }) => {
    expect(price?.table).toMatch(new RegExp(`^${provider}-list-\\d{4}-\\d\\d-\\d\\d$`));
    const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = price?.of ?? {};
    expect(cacheRead).toBeLessThan(input);
    expect(cacheWrite).toBeGreaterThanOrEqual(input);
    expect(output).toBeGreaterThan(input);
  },
);

test('the cost of a user’s own model is unknown, and so is that of a vendor’s model that no table has', () => {
  expect(unlistedModel('openai-compatible', 'qwen3')).toMatchObject({
    price: null,
    temperature: 0,
    maxOutputTokens: 2048,
  });
  const unknown = { price: null, temperature: null, maxOutputTokens: 8192 };
  expect(unlistedModel('openai', 'gpt-99')).toMatchObject(unknown);
  expect(unlistedModel('openai', 'constructor')).toMatchObject(unknown);
  expect(unlistedModel('openai', 'claude-opus-5-5')).toMatchObject(unknown);
  expect(unlistedModel('anthropic', 'claude-opus-5-5').price?.of).toMatchObject({
    input: 4,
    cacheRead: 0.2,
    output: 20,
  });
});

test('rows of earlier campaigns name tables whose prices have not changed', () => {
  const prices = MODELS.map(({ id, price }) => [id, price?.table, ...Object.values(price?.of ?? {})]);
  expect(prices).toEqual([
    ['claude-sonnet-4-6', 'anthropic-list-2026-11-22', 3, 0.3, 3.75, 15],
    ['claude-haiku-4-5-20251001', 'anthropic-list-2026-11-22', 1, 0.1, 1.25, 5],
    ['claude-opus-4-6', 'anthropic-list-2026-11-22', 5, 0.5, 6.25, 25],
    ['gpt-4o-mini', 'openai-list-2026-09-22', 0.15, 0.075, 0.15, 0.6],
    ['o4-mini', 'openai-list-2026-09-22', 1.1, 0.275, 1.1, 4.4],
    ['gemini-3.1-flash-lite', 'google-list-2026-09-22', 0.25, 0.025, 0.25, 1.5],
    ['deepseek-flash', 'deepseek-list-2026-09-22', 0.3, 0.006, 0.3, 1.2],
    ['deepseek-chat', 'deepseek-list-2026-09-22', 0.3, 0.006, 0.3, 1.2],
    ['deepseek-reasoner', 'deepseek-list-2026-09-22', 0.3, 0.006, 0.3, 1.2],
  ]);
});

test.each([
  ['2026-01-01', '2026-02-01'],
  ['2026-02-01', '2026-01-01'],
])('the newest of the tables of %s and %s counts', (...dates) => {
  const tables = dates.map((date): PriceTable => ({ provider: 'openai', date, sources: [], models: { m: PRICE } }));
  expect(listPrice(tables, { provider: 'openai', id: 'm' })).toEqual({ table: 'openai-list-2026-02-01', of: PRICE });
});

test('a call with a long prompt costs more, if the provider’s prices rise there', () => {
  const price = { ...PRICE, long: { input: 6, cacheRead: 0.6, cacheWrite: 7.5, output: 22.5, above: 1_000 } };
  const usage = { input: 100, cacheRead: 890, cacheWrite: 10, output: 20 };
  expect(costOf(usage, price)).toBe(costOf(usage, PRICE));
  expect(costOf({ ...usage, input: 101 }, price)).toBeCloseTo(0.001665, 12);
  expect(mostOf({ input: 1_000, output: 20 }, price)).toBe(mostOf({ input: 1_000, output: 20 }, PRICE));
  expect(mostOf({ input: 1_001, output: 20 }, price)).toBeCloseTo(0.0079575, 12);
});

test.each([
  ['{"tables": [{"provider": "openai", "date": "2026-9-1", "sources": [], "models": {}}]}', 'date'],
  [
    '{"tables": [{"provider": "openai", "date": "2026-09-01", "sources": [], "models": {"m": {"input": 1}}}]}',
    'output',
  ],
])('a file of prices that is not one is refused: %s', (text, expected) => {
  expect(() => parsePrices(text)).toThrow(expected);
});

test('a reasoner may write four times as much as any other model', () => {
  const caps = MODELS.map(({ id, maxOutputTokens }) => [id, maxOutputTokens]);
  const reasoners = new Set(['o4-mini', 'deepseek-reasoner']);
  expect(caps).toEqual(MODELS.map(({ id }) => [id, reasoners.has(id) ? 8192 : 2048]));
});

const { anthropic, openai, google, deepseek } = PROVIDERS;

test.each([
  [anthropic, undefined, 'https://api.anthropic.com/v1', 'provider', 'm'],
  [anthropic, 'https://api.anthropic.com', 'https://api.anthropic.com/v1', 'provider', 'm'],
  [anthropic, 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1', 'provider', 'm'],
  [anthropic, 'http://api.anthropic.com', 'http://api.anthropic.com/v1', 'custom', 'custom:m@api.anthropic.com'],
  [
    anthropic,
    'https://api.anthropic.com.evil.test',
    'https://api.anthropic.com.evil.test/v1',
    'custom',
    'custom:m@api.anthropic.com.evil.test',
  ],
  [anthropic, 'https://llm.example:8443/proxy', 'https://llm.example:8443/proxy/v1', 'custom', 'custom:m@llm.example'],
  [anthropic, 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/v1', 'mock', 'custom:m@127.0.0.1'],
  [anthropic, 'http://localhost:4010/v1', 'http://localhost:4010/v1', 'mock', 'custom:m@localhost'],
  [anthropic, 'http://[::1]:4010', 'http://[::1]:4010/v1', 'mock', 'custom:m@[::1]'],
  [openai, '', 'https://api.openai.com/v1', 'provider', 'm'],
  [openai, 'https://api.openai.com', 'https://api.openai.com/v1', 'provider', 'm'],
  [openai, 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/v1', 'mock', 'custom:m@127.0.0.1'],
  [google, undefined, 'https://generativelanguage.googleapis.com/v1beta', 'provider', 'm'],
  [google, 'https://gemini.example/v1beta', 'https://gemini.example/v1beta', 'custom', 'custom:m@gemini.example'],
  [deepseek, undefined, 'https://api.deepseek.com', 'provider', 'm'],
  [deepseek, 'https://api.deepseek.com/v1', 'https://api.deepseek.com', 'provider', 'm'],
  [deepseek, 'https://api.deepseek.com/beta', 'https://api.deepseek.com/beta', 'custom', 'custom:m@api.deepseek.com'],
])('%# %s is asked at %s', ({ home }, named, url, kind, id) => {
  const endpoint = endpointAt(named, home);
  expect(endpoint).toMatchObject({ url, kind });
  expect(endpoint === null ? null : modelIdAt('m', endpoint)).toBe(id);
});

test.each([
  ['https://openrouter.ai/api/v1/', 'https://openrouter.ai/api/v1', 'custom'],
  ['http://192.168.1.7:11434/v1', 'http://192.168.1.7:11434/v1', 'custom'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1', 'mock'],
  ['https://api.openai.com/v1', 'https://api.openai.com/v1', 'custom'],
])('an unknown endpoint is called as named, and never a provider: %s', (named, url, kind) => {
  expect(endpointAt(named, null)).toMatchObject({ url, kind });
});

test.each(['nowhere', 'file:///etc/passwd', 'https://user:secret@llm.example'])('%s is not an endpoint', (named) => {
  expect(endpointAt(named, anthropic.home)).toBeNull();
  expect(endpointAt(named, null)).toBeNull();
});

test('a user’s own model has no endpoint without an address', () => {
  expect(endpointAt('', null)).toBeNull();
});
