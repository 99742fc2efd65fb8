import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { Model } from './conversation.ts';
import { type ModelOptions, sdkModel } from './sdk-model.ts';

/** A model behind Google's Gemini API (`generateContent`). Its signatures of thoughts are given back with the calls. */
export function googleModel(options: ModelOptions): Model {
  return sdkModel(options, {
    pictures: 'in_result',
    connect: ({ id, key, url }, fetchHere) =>
      createGoogleGenerativeAI({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
  });
}
