import { canonicalJson } from '../contract/canonical.ts';
import type { Pins } from './pins.ts';

type Browser = Pins['browser'];

/** As a row has a browser of the pinned build that we did not launch. */
export function standInFor(pinned: Browser): Browser {
  return { ...pinned, ours: false, sandbox: null };
}

/** Whether a browser is the one that is pinned; else, whether it may stand in for one of ours, as that of one worker among others. */
export function againstPinned(browser: Browser, pinned: Browser): 'pinned' | 'stand_in' | 'other' {
  const text = canonicalJson(browser);
  if (text === canonicalJson(pinned)) return 'pinned';
  return text === canonicalJson(standInFor(pinned)) ? 'stand_in' : 'other';
}
