import { canonicalJson } from '../contract/canonical.ts';
import type { Pins } from './pins.ts';

type Browser = Pins['browser'];

/** The pinned browser as rows name it where we did not launch it. */
export function standInFor(pinned: Browser): Browser {
  const { isolation: _, ...known } = pinned;
  return { ...known, ours: false, sandbox: null };
}

/** Whether a browser is the pinned one, may stand in for it in one worker among others, or is another. */
export function againstPinned(browser: Browser, pinned: Browser): 'pinned' | 'stand_in' | 'other' {
  const text = canonicalJson(browser);
  if (text === canonicalJson(pinned)) return 'pinned';
  return text === canonicalJson(standInFor(pinned)) ? 'stand_in' : 'other';
}
