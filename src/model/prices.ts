import { z } from 'zod';

/** Tokens of one model call, as the provider counted them. Each is in one of the counts. */
export interface Usage {
  /** Without those from the cache. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

const RATES = {
  input: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
  output: z.number().nonnegative(),
} satisfies Record<keyof Usage, z.ZodType>;

/** USD for a million tokens of each kind; `long` is the price of a call whose prompt has more tokens than `above`. */
const Price = z.strictObject({ ...RATES, long: z.strictObject({ ...RATES, above: z.int().positive() }).optional() });
export type Price = z.infer<typeof Price>;

/** Rows name a table by provider and date, so tables are added and never changed. */
const PriceTable = z.strictObject({
  provider: z.string(),
  date: z.iso.date(),
  about: z.string().optional(),
  sources: z.array(z.string()),
  models: z.record(z.string(), Price),
});
export type PriceTable = z.infer<typeof PriceTable>;

export const PRICES_FILE = new URL('../../src/model/prices.json', import.meta.url);

/** @throws ZodError */
export function parsePrices(text: string): PriceTable[] {
  return z.strictObject({ tables: z.array(PriceTable) }).parse(JSON.parse(text)).tables;
}

/** Returns the newest price of a model and the name of its table; null if no table has it. */
export function listPrice(
  tables: readonly PriceTable[],
  { provider, id }: { provider: string; id: string },
): { table: string; of: Price } | null {
  const having = tables.filter((each) => each.provider === provider && Object.hasOwn(each.models, id));
  const newest = having.toSorted((a, b) => (a.date < b.date ? -1 : 1)).at(-1);
  const of = newest?.models[id];
  return newest === undefined || of === undefined ? null : { table: `${provider}-list-${newest.date}`, of };
}

/** The most that a call can cost, in USD. */
export function mostOf(tokens: { input: number; output: number }, price: Price): number {
  const rates = ratesAt(tokens.input, price);
  const input = Math.max(rates.input, rates.cacheRead, rates.cacheWrite);
  return (tokens.input * input + tokens.output * rates.output) / 1_000_000;
}

/** In USD. */
export function costOf({ input, cacheRead, cacheWrite, output }: Usage, price: Price): number {
  const rates = ratesAt(input + cacheRead + cacheWrite, price);
  const prompt = input * rates.input + cacheRead * rates.cacheRead + cacheWrite * rates.cacheWrite;
  return (prompt + output * rates.output) / 1_000_000;
}

function ratesAt(prompt: number, price: Price): Record<keyof Usage, number> {
  return price.long !== undefined && prompt > price.long.above ? price.long : price;
}
