import { type Price, PRICES, type PriceTable } from './prices.ts';
import type { ProviderName } from './providers.ts';

/** A model that can be asked, and what a call costs. */
export interface ModelSpec {
  /** The provider's id for it. Also the agent's name, except for a model of the user's own. */
  id: string;
  provider: ProviderName;
  /** Other names of the same model, which the command line takes. */
  aliases?: readonly string[];
  /** The lowest temperature that it takes; null: it takes none, and answers at the one that it has. */
  temperature: number | null;
  /** Most tokens of one reply, those of its reasoning among them. */
  maxOutputTokens: number;
  /** The day on which its provider retires the name. */
  ends?: string;
  /** Null: no table of ours has it. */
  price: { table: PriceTable['name']; of: Price } | null;
}

/** Its two older names, as its provider has announced. */
const DEEPSEEK_ENDS = '2026-07-24';

/** A reasoner thinks in the same tokens that it answers in. */
const [OUTPUT, REASONER_OUTPUT] = [2048, 8192];

/**
 * The models that are known by name. An id of Anthropic names one version for good; the others are names that their
 * providers may lead to another version, which rows show as `model_id_returned`.
 */
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

/** Describes a model as an agent. */
export function aboutModel({ provider }: Pick<ModelSpec, 'provider'>): string {
  return `a model, asked by the API of ${provider}`;
}

/** A model of the user's own behind an OpenAI-compatible endpoint. Its price is unknown. */
export function compatibleModel(id: string): ModelSpec {
  return { id, provider: 'openai-compatible', temperature: 0, maxOutputTokens: OUTPUT, price: null };
}

function listed(provider: ProviderName, id: string, special: Partial<ModelSpec> = {}): ModelSpec {
  const table = PRICES.find((each) => id in each.models);
  const of = table?.models[id];
  const price = table === undefined || of === undefined ? null : { table: table.name, of };
  return { id, provider, temperature: 0, maxOutputTokens: OUTPUT, price, ...special };
}
