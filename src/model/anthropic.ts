import { createAnthropic } from '@ai-sdk/anthropic';
import type { Model } from './conversation.ts';
import { type ModelOptions, sdkModel } from './sdk-model.ts';

/** A model behind Anthropic's Messages API. */
export function anthropicModel(options: ModelOptions): Model {
  return sdkModel(options, {
    pictures: 'in_result',
    connect: ({ id, key, url }, fetchHere) =>
      createAnthropic({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
    /** The prompt so far is kept in the provider's cache for five minutes, and the next turn reads it from there. */
    cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  });
}
