import type { Differences } from '../differences.ts';

/** Where this surface differs from those that show whole pages. */
export const DIFFERENCES: Differences = {
  lacks: {},
  sight: ['what a page does not say by NAC3, and what stands in frames, is not there'],
  shortcut: {
    what: 'a verb, a payload or words may have the page do what takes a user several actions: that is the page’s own choice',
    tools: ['click_by_verb', 'invoke', 'utter'],
  },
};
