import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { COMPATIBLE } from '../compatible-name.ts';
import type { Provider } from '../provider.ts';
import { sdkModel } from '../sdk-model.ts';

/** Any endpoint that speaks OpenAI's Chat Completions API. The key is optional. */
export const openaiCompatible = {
  name: COMPATIBLE,
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
          name: COMPATIBLE,
          ...(key === null ? {} : { apiKey: key }),
          baseURL: url,
          fetch: fetchHere,
        })(id),
    }),
} as const satisfies Provider;
