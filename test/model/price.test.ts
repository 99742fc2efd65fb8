import { expect, test } from 'vitest';
import { MODELS } from '../../src/model/models.ts';
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

test('every model has prices, and its cache is cheaper to read than its input, and dearer to write', () => {
  for (const { price } of MODELS) {
    expect(price.cacheRead).toBeLessThan(price.input);
    expect(price.cacheWrite).toBeGreaterThan(price.input);
    expect(price.output).toBeGreaterThan(price.input);
  }
});
