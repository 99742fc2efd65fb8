import { expect, test } from 'vitest';
import { compatibleModel, MODELS } from '../../src/model/models.ts';
import { costOf } from '../../src/model/price.ts';

const PRICE = { input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 };
const NONE = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

test.each([
  ['read anew', { input: 1_000_000 }, 3],
  ['read from the cache', { cacheRead: 1_000_000 }, 0.3],
  ['written to the cache', { cacheWrite: 1_000_000 }, 3.75],
  ['written', { output: 1_000_000 }, 15],
  ['of each kind', { input: 100, cacheRead: 1_000, cacheWrite: 10, output: 20 }, 0.0009375],
])('tokens %s are billed once, at the price of their kind', (_, usage, usd) => {
  expect(costOf({ ...NONE, ...usage }, PRICE)).toBeCloseTo(usd, 12);
});

test.each(MODELS.map(({ id, provider, price }) => ({ id, provider, price })))(
  '$id has prices of a day, and its cache is cheaper to read than its input, and no cheaper to write',
  ({ provider, price }) => {
    expect(price?.table).toMatch(new RegExp(`^${provider}-list-\\d{4}-\\d\\d-\\d\\d$`));
    const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = price?.of ?? {};
    expect(cacheRead).toBeLessThan(input);
    expect(cacheWrite).toBeGreaterThanOrEqual(input);
    expect(output).toBeGreaterThan(input);
  },
);

test('what a model of one’s own costs is not known', () => {
  expect(compatibleModel('qwen3').price).toBeNull();
});

test('a reasoner may write four times as much as any other model', () => {
  const caps = MODELS.map(({ id, maxOutputTokens }) => [id, maxOutputTokens]);
  const reasoners = new Set(['o4-mini', 'deepseek-reasoner']);
  expect(caps).toEqual(MODELS.map(({ id }) => [id, reasoners.has(id) ? 8192 : 2048]));
});
