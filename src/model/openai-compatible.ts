import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Model } from './conversation.ts';
import { type ModelOptions, sdkModel } from './sdk-model.ts';

/** A model behind whatever answers like OpenAI's Chat Completions API. Without a key none is sent. */
export function openaiCompatibleModel(options: ModelOptions): Model {
  return sdkModel(options, {
    pictures: 'behind_results',
    connect: ({ id, key, url }, fetchHere) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        ...(key === null ? {} : { apiKey: key }),
        baseURL: url,
        fetch: fetchHere,
      })(id),
  });
}
