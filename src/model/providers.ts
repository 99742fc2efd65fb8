import { anthropic } from './providers/anthropic.ts';
import { deepseek } from './providers/deepseek.ts';
import { google } from './providers/google.ts';
import { openai } from './providers/openai.ts';
import { openaiCompatible } from './providers/openai-compatible.ts';

/** Every provider, by its name. */
export const PROVIDERS = {
  [anthropic.name]: anthropic,
  [openai.name]: openai,
  [google.name]: google,
  [deepseek.name]: deepseek,
  [openaiCompatible.name]: openaiCompatible,
} as const;
export type ProviderName = keyof typeof PROVIDERS;
