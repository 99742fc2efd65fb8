import { readFileSync } from 'node:fs';
import { parsePrices, type Price, listPrice, PRICES_FILE } from './prices.ts';
import type { ProviderName } from './providers.ts';

export interface ModelSpec {
  /** The provider's id. Also the agent's name, except for a user's own model. */
  id: string;
  provider: ProviderName;
  aliases?: readonly string[];
  temperature: number | null;
  /** Most tokens of one reply, including its reasoning. */
  maxOutputTokens: number;
  ends?: string;
  price: { table: string; of: Price } | null;
}

/** The end of two older names, as announced. */
const DEEPSEEK_ENDS = '2026-07-24';

/** The tokens of a reasoner include its reasoning. */
const [OUTPUT, REASONER_OUTPUT] = [2048, 8192];

const PRICES = parsePrices(readFileSync(PRICES_FILE, 'utf8'));

/** An id of Anthropic names one version; those of others may change their version, which rows show as `model_id_returned`. */
export const MODELS: readonly ModelSpec[] = [
  listed('anthropic', 'claude-sonnet-4-6'),
  listed('anthropic', 'claude-haiku-4-5-20251001', { aliases: ['claude-haiku-4-5'] }),
  listed('anthropic', 'claude-opus-4-6'),
  listed('openai', 'gpt-4o-mini'),
  listed('openai', 'o4-mini', { temperature: null, maxOutputTokens: REASONER_OUTPUT }),
  listed('google', 'gemini-3.1-flash-lite'),
  listed('deepseek', 'deepseek-flash'),
  listed('deepseek', 'deepseek-chat', { ends: DEEPSEEK_ENDS }),
  listed('deepseek', 'deepseek-reasoner', {
    temperature: null,
    maxOutputTokens: REASONER_OUTPUT,
    ends: DEEPSEEK_ENDS,
  }),
];

export function aboutModel({ provider }: Pick<ModelSpec, 'provider'>): string {
  return `a model, asked by the API of ${provider}`;
}

/** Any model of a provider. A vendor's is asked at its own temperature, since many of them reason and refuse any other. */
export function unlistedModel(provider: ProviderName, id: string): ModelSpec {
  const isVendors = provider !== 'openai-compatible';
  return listed(provider, id, isVendors ? { temperature: null, maxOutputTokens: REASONER_OUTPUT } : {});
}

function listed(provider: ProviderName, id: string, special: Partial<ModelSpec> = {}): ModelSpec {
  const price = listPrice(PRICES, { provider, id });
  return { id, provider, temperature: 0, maxOutputTokens: OUTPUT, price, ...special };
}
