import type { Model } from './conversation.ts';
import type { Home } from './endpoint.ts';
import type { ModelOptions } from './sdk-model.ts';

/** Who is asked, and what of the environment that needs. */
export interface Provider {
  name: string;
  /** Null if there is no vendor; an address is required then. */
  home: Home | null;
  /** Variables that may hold the key; the first that is set counts. */
  keys: readonly [string, ...string[]];
  /** Whether nothing can be asked without a key. */
  needsKey: boolean;
  takesPictures: boolean;
  /** The variable that names another address. */
  baseUrl: string;
  model(options: ModelOptions): Model;
}
