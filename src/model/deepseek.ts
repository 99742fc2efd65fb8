import { createDeepSeek } from '@ai-sdk/deepseek';
import type { Model } from './conversation.ts';
import { type ModelOptions, sdkModel } from './sdk-model.ts';

/** A model behind DeepSeek's API. What it reasoned before a call is given back with the call, as the API wants it. */
export function deepseekModel(options: ModelOptions): Model {
  return sdkModel(options, {
    pictures: 'nowhere',
    connect: ({ id, key, url }, fetchHere) => createDeepSeek({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
  });
}
