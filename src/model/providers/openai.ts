import { createOpenAI } from '@ai-sdk/openai';
import type { Provider } from '../provider.ts';
import { sdkModel } from '../sdk-model.ts';

/** OpenAI's Chat Completions API: the whole conversation is in each request, and nothing is kept there. */
export const openai = {
  name: 'openai',
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
} as const satisfies Provider;
