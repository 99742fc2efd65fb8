import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { Provider } from '../provider.ts';
import { sdkModel } from '../sdk-model.ts';

/** Google's Gemini API (`generateContent`). Its signatures of thoughts are given back with the calls. */
export const google = {
  name: 'google',
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
} as const satisfies Provider;
