import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { COMPATIBLE } from '../compatible-name.ts';
import type { Provider } from '../provider.ts';
import { sdkModel } from '../sdk-model.ts';

/** Whatever answers like OpenAI's Chat Completions API. Without a key none is sent. */
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
