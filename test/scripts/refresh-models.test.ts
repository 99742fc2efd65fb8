import { expect, test } from 'vitest';
import { newPrices } from '../../scripts/refresh-models.ts';
import type { PriceTable } from '../../src/model/prices.ts';

const OURS = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };
const QUOTE = {
  inputPer1MTokens: 3,
  outputPer1MTokens: 15,
  cacheReadPer1MTokens: 0.3,
  cacheWritePer1MTokens: 3.75,
};
const ENTRY = { fullName: 'm-1', shortName: 'm', provider: 'anthropic', inputPrice: 3, outputPrice: 15 };

interface Packages {
  quote?: Partial<Record<keyof typeof QUOTE | 'longContextThreshold' | 'longContextInputPer1MTokens', number>>;
  entry?: { provider?: string; outputPrice?: number; retired?: boolean; serviceTier?: string };
}

/** The new tables of packages that have this one model, published on 2026-06-01. */
function refreshed({ quote = {}, entry = {} }: Packages, tables: readonly PriceTable[] = []) {
  const calculator = { allPricing: { anthropic: { m: { ...QUOTE, ...quote } } } };
  const zoo = { MODEL_CONFIGS: { any: { ...ENTRY, ...entry } } };
  return newPrices({ calculator, zoo, date: '2026-06-01', sources: ['npm a 1', 'npm b 2'] }, tables);
}

function known(date: string, models: PriceTable['models']): PriceTable {
  return { provider: 'anthropic', date, sources: [], models };
}

test('a price on which both packages agree is added, with its date and sources', () => {
  const table = { provider: 'anthropic', date: '2026-06-01', sources: ['npm a 1', 'npm b 2'], models: { m: OURS } };
  expect(refreshed({})).toEqual({ added: [table], differ: [] });
});

test('a cache without prices costs as much as any prompt, and a long prompt has its own price', () => {
  const quote = {
    inputPer1MTokens: 3,
    outputPer1MTokens: 15,
    longContextThreshold: 200,
    longContextInputPer1MTokens: 6,
  };
  const calculator = { allPricing: { anthropic: { m: quote } } };
  const zoo = { MODEL_CONFIGS: { any: ENTRY } };
  const [table] = newPrices({ calculator, zoo, date: '2026-06-01', sources: [] }, []).added;
  const long = { above: 200, input: 6, cacheRead: 6, cacheWrite: 6, output: 15 };
  expect(table?.models).toEqual({ m: { input: 3, cacheRead: 3, cacheWrite: 3, output: 15, long } });
});

test('a price on which they differ is not added, but reported', () => {
  expect(refreshed({ entry: { outputPrice: 16 } })).toEqual({ added: [], differ: ['anthropic:m'] });
});

test.each<Packages['entry'] & object>([{ retired: true }, { provider: 'openai' }, { serviceTier: 'fast' }])(
  'a price that only one package has is not added: %j',
  (entry) => {
    expect(refreshed({ entry })).toEqual({ added: [], differ: [] });
  },
);

test.each([
  ['unchanged', '2026-01-01', OURS, 0],
  ['of a newer table', '2026-07-01', { ...OURS, input: 4 }, 0],
  ['changed since', '2026-01-01', { ...OURS, input: 4 }, 1],
])('a known price that is %s: case %#', (_, date, price, expected) => {
  expect(refreshed({}, [known(date, { m: price })]).added).toHaveLength(expected);
});

test('a table that exists is not changed', () => {
  expect(() => refreshed({}, [known('2026-06-01', { other: OURS })])).toThrow('may not change');
});
