import { createOpenAI } from '@ai-sdk/openai';
import type { Model } from './conversation.ts';
import { type ModelOptions, sdkModel } from './sdk-model.ts';

/** A model behind OpenAI's Chat Completions API: the whole conversation is in each request, and nothing is kept there. */
export function openaiModel(options: ModelOptions): Model {
  return sdkModel(options, {
    pictures: 'behind_results',
    connect: ({ id, key, url }, fetchHere) =>
      createOpenAI({ apiKey: key ?? '', baseURL: url, fetch: fetchHere }).chat(id),
  });
}
