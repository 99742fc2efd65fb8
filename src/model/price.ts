import type { Usage } from './usage.ts';

/** USD for a million tokens of each kind. */
export type Price = Readonly<Record<keyof Usage, number>>;

/** Computes the most that a call can cost, in USD, with nothing cached. */
export function mostOf(tokens: { input: number; output: number }, price: Price): number {
  const input = Math.max(price.input, price.cacheRead, price.cacheWrite);
  return (tokens.input * input + tokens.output * price.output) / 1_000_000;
}

/** Compute the cost of a call at these prices, in USD. Each token is billed once, at the price of its kind. */
export function costOf(usage: Usage, price: Price): number {
  const { input, cacheRead, cacheWrite, output } = usage;
  const sum = input * price.input + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite + output * price.output;
  return sum / 1_000_000;
}
