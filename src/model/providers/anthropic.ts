import { createAnthropic } from '@ai-sdk/anthropic';
import type { Provider } from '../provider.ts';
import { sdkModel } from '../sdk-model.ts';

/** Anthropic's Messages API. */
export const anthropic = {
  name: 'anthropic',
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
      /** The prompt so far is kept in the provider's cache for five minutes, and the next turn reads it from there. */
      cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    }),
} as const satisfies Provider;
