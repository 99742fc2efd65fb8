import type { Price } from './price.ts';

/** A model that can be asked, and what a call costs. */
export interface ModelSpec {
  /** The provider's own id, which names one version of the model for good. Also the agent's name. */
  id: string;
  /** The lowest temperature that it takes. */
  temperature: number;
  price: Price;
}

/**
 * Where the prices come from, and the day on which they were looked up. Cache writes are those that last five minutes.
 * Source: https://platform.claude.com/docs/en/about-claude/pricing, as it was stored then; nobody has been billed by them here.
 */
export const PRICE_TABLE = 'anthropic-list-2026-11-22';

/** Later models refuse a temperature, so their replies cannot be pinned as far as those of these. */
export const MODELS: readonly ModelSpec[] = [
  {
    id: 'claude-sonnet-4-6',
    temperature: 0,
    price: { input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 },
  },
  {
    id: 'claude-haiku-4-5-20251001',
    temperature: 0,
    price: { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 },
  },
  {
    id: 'claude-opus-4-6',
    temperature: 0,
    price: { input: 5, cacheWrite: 6.25, cacheRead: 0.5, output: 25 },
  },
];
