/** Tokens of one model call, as the provider counted them. Each is in one of the counts. */
export interface Usage {
  /** Without those from the cache. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** USD for a million tokens of each kind. */
export type Price = Readonly<Record<keyof Usage, number>>;

/** The most that a call can cost, in USD. */
export function mostOf(tokens: { input: number; output: number }, price: Price): number {
  const input = Math.max(price.input, price.cacheRead, price.cacheWrite);
  return (tokens.input * input + tokens.output * price.output) / 1_000_000;
}

/** In USD. */
export function costOf(usage: Usage, price: Price): number {
  const { input, cacheRead, cacheWrite, output } = usage;
  const sum = input * price.input + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite + output * price.output;
  return sum / 1_000_000;
}

export interface PriceTable {
  name: string;
  sources: readonly string[];
  models: Readonly<Record<string, Price>>;
}

/** OpenAI, Google and DeepSeek cache by themselves, at no price for writing. */
function cachesByItself(input: number, cacheRead: number, output: number): Price {
  return { input, cacheWrite: input, cacheRead, output };
}

export const PRICES: readonly PriceTable[] = [
  {
    name: 'anthropic-list-2026-11-22',
    // As it was stored on that day. Cache writes are those that last five minutes.
    sources: ['https://platform.claude.com/docs/en/about-claude/pricing'],
    models: {
      'claude-sonnet-4-6': { input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 },
      'claude-haiku-4-5-20251001': { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 },
      'claude-opus-4-6': { input: 5, cacheWrite: 6.25, cacheRead: 0.5, output: 25 },
    },
  },
  {
    name: 'openai-list-2026-09-22',
    sources: [
      'npm ai-sdk-cost-calculator 7.1.14',
      'https://yingtu.ai/en/blog/o4-mini-pricing-api-cost-token-price-and-when-to-use-it (2026-07-02, o4-mini)',
    ],
    models: { 'gpt-4o-mini': cachesByItself(0.15, 0.075, 0.6), 'o4-mini': cachesByItself(1.1, 0.275, 4.4) },
  },
  {
    name: 'google-list-2026-09-22',
    sources: [
      'npm ai-sdk-cost-calculator 7.1.14',
      'https://vercel.com/ai-gateway/models/gemini-3.1-flash-lite/providers (cached: rounded to 0.03)',
    ],
    models: { 'gemini-3.1-flash-lite': cachesByItself(0.25, 0.025, 1.5) },
  },
  {
    name: 'deepseek-list-2026-09-22',
    // DeepSeek has announced the end of two older names for 2026-07-24; these are the prices of deepseek-flash, which took their
    // place, at the hours at which it costs most.
    sources: [
      'npm ai-sdk-cost-calculator 7.1.14',
      'https://api-docs.deepseek.com/zh-cn/quick_start/pricing/ (in yuan)',
    ],
    models: {
      'deepseek-flash': cachesByItself(0.3, 0.006, 1.2),
      'deepseek-chat': cachesByItself(0.3, 0.006, 1.2),
      'deepseek-reasoner': cachesByItself(0.3, 0.006, 1.2),
    },
  },
];
