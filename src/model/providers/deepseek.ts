import { createDeepSeek } from '@ai-sdk/deepseek';
import type { Provider } from '../provider.ts';
import { sdkModel } from '../sdk-model.ts';

/** DeepSeek's API. What it reasoned before a call is given back with the call, as the API wants it. */
export const deepseek = {
  name: 'deepseek',
  home: { origin: 'https://api.deepseek.com', base: '' },
  keys: ['DEEPSEEK_API_KEY'],
  needsKey: true,
  takesPictures: false,
  baseUrl: 'DEEPSEEK_BASE_URL',
  model: (options) =>
    sdkModel(options, {
      pictures: 'nowhere',
      connect: ({ id, key, url }, fetchHere) =>
        createDeepSeek({ apiKey: key ?? '', baseURL: url, fetch: fetchHere })(id),
      // It reasons by default, and then takes no temperature.
      atTemperature: { deepseek: { thinking: { type: 'disabled' } } },
    }),
} as const satisfies Provider;
