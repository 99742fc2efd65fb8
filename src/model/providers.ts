import type { Model } from './conversation.ts';
import type { Home } from './endpoint.ts';
import { type ModelOptions, sdkModel } from './sdk-model.ts';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

export interface Provider {
  /** Null without a vendor: an address is required then. */
  home: Home | null;
  /** Variables that may hold the key; the first that is set counts. */
  keys: readonly [string, ...string[]];
  needsKey: boolean;
  takesPictures: boolean;
  baseUrl: string;
  model(options: ModelOptions): Model;
}

export const PROVIDERS = {
  anthropic: {
    home: { origin: 'https://api.anthropic.com', base: '/v1' },
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    takesPictures: true,
    baseUrl: 'ANTHROPIC_BASE_URL',
    model: (options) =>
      sdkModel(options, {
        pictures: 'in_result',
        connect: ({ id, key, url }, fetchHere) =>
          createAnthropic({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
        // The next turn reads the prompt so far from the provider's cache, where it stays for five minutes.
        cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      }),
  },
  /** OpenAI's Chat Completions API, which keeps no conversation. */
  openai: {
    home: { origin: 'https://api.openai.com', base: '/v1' },
    keys: ['OPENAI_API_KEY'],
    needsKey: true,
    takesPictures: true,
    baseUrl: 'OPENAI_BASE_URL',
    model: (options) =>
      sdkModel(options, {
        pictures: 'behind_results',
        connect: ({ id, key, url }, fetchHere) =>
          createOpenAI({ apiKey: key ?? '', baseURL: url, fetch: fetchHere }).chat(id),
      }),
  },
  google: {
    home: { origin: 'https://generativelanguage.googleapis.com', base: '/v1beta' },
    keys: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    needsKey: true,
    takesPictures: true,
    baseUrl: 'GOOGLE_BASE_URL',
    model: (options) =>
      sdkModel(options, {
        pictures: 'in_result',
        connect: ({ id, key, url }, fetchHere) =>
          createGoogleGenerativeAI({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
      }),
  },
  deepseek: {
    home: { origin: 'https://api.deepseek.com', base: '' },
    keys: ['DEEPSEEK_API_KEY'],
    needsKey: true,
    takesPictures: false,
    baseUrl: 'DEEPSEEK_BASE_URL',
    model: (options) =>
      sdkModel(options, {
        pictures: 'nowhere',
        connect: ({ id, key, url }, fetchHere) =>
          createDeepSeek({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
        // It reasons by default, and then takes no temperature.
        atTemperature: { deepseek: { thinking: { type: 'disabled' } } },
      }),
  },
  /** Any endpoint that speaks OpenAI's Chat Completions API. The key is optional. */
  'openai-compatible': {
    home: null,
    keys: ['OPENAI_COMPATIBLE_API_KEY'],
    needsKey: false,
    takesPictures: true,
    baseUrl: 'OPENAI_COMPATIBLE_BASE_URL',
    model: (options) =>
      sdkModel(options, {
        pictures: 'behind_results',
        connect: ({ id, key, url }, fetchHere) =>
          createOpenAICompatible({
            name: 'openai-compatible',
            ...(key === null ? {} : { apiKey: key }),
            baseURL: url,
            fetch: fetchHere,
          })(id),
      }),
  },
} as const satisfies Record<string, Provider>;
export type ProviderName = keyof typeof PROVIDERS;
