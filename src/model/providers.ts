import { anthropicModel } from './anthropic.ts';
import type { Model } from './conversation.ts';
import { deepseekModel } from './deepseek.ts';
import type { Home } from './endpoint.ts';
import { googleModel } from './google.ts';
import { openaiCompatibleModel } from './openai-compatible.ts';
import { openaiModel } from './openai.ts';
import type { ModelOptions } from './sdk-model.ts';

export type ProviderName = 'anthropic' | 'openai' | 'google' | 'deepseek' | 'openai-compatible';

/** Who is asked, and what of the environment that needs. */
export interface Provider {
  /** Null where there is no vendor, so that an address must be named. */
  home: Home | null;
  /** Variables that may hold the key; the first that is set counts. */
  keys: readonly [string, ...string[]];
  /** Whether nothing can be asked without a key. */
  needsKey: boolean;
  /** Whether its API takes pictures. */
  takesPictures: boolean;
  /** The variable that names another address. */
  baseUrl: string;
  model(options: ModelOptions): Model;
}

export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    home: { origin: 'https://api.anthropic.com', base: '/v1' },
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    takesPictures: true,
    baseUrl: 'ANTHROPIC_BASE_URL',
    model: anthropicModel,
  },
  openai: {
    home: { origin: 'https://api.openai.com', base: '/v1' },
    keys: ['OPENAI_API_KEY'],
    needsKey: true,
    takesPictures: true,
    baseUrl: 'OPENAI_BASE_URL',
    model: openaiModel,
  },
  google: {
    home: { origin: 'https://generativelanguage.googleapis.com', base: '/v1beta' },
    keys: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    needsKey: true,
    takesPictures: true,
    baseUrl: 'GOOGLE_BASE_URL',
    model: googleModel,
  },
  deepseek: {
    home: { origin: 'https://api.deepseek.com', base: '' },
    keys: ['DEEPSEEK_API_KEY'],
    needsKey: true,
    takesPictures: false,
    baseUrl: 'DEEPSEEK_BASE_URL',
    model: deepseekModel,
  },
  'openai-compatible': {
    home: null,
    keys: ['OPENAI_COMPATIBLE_API_KEY'],
    needsKey: false,
    takesPictures: true,
    baseUrl: 'OPENAI_COMPATIBLE_BASE_URL',
    model: openaiCompatibleModel,
  },
};
