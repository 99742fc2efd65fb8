import { z } from 'zod';
import { PAGE_TOOLS, type ToolSpec } from '../page/tools.ts';

const ref = z.string().min(1).describe('Reference of the element, as in the latest snapshot, for example "e5"');

/** The arguments of every tool of this surface, with what a model is told of them. */
export const ARIA_TOOLS = {
  navigate: PAGE_TOOLS.navigate,
  back: PAGE_TOOLS.back,
  snapshot: {
    description: 'Look at the current tab: its accessibility tree, with a reference for every element.',
    args: z.strictObject({}),
  },
  click: { description: 'Click an element.', args: z.strictObject({ ref }) },
  fill: {
    description: 'Replace the content of a text field.',
    args: z.strictObject({ ref, text: z.string().describe('The new content') }),
  },
  select: {
    description: 'Choose an option of a drop-down list.',
    args: z.strictObject({ ref, option: z.string().min(1).describe('The visible text of the option') }),
  },
  press: PAGE_TOOLS.press,
  scroll: PAGE_TOOLS.scroll,
  wait: PAGE_TOOLS.wait,
  tabs: PAGE_TOOLS.tabs,
  dialog: PAGE_TOOLS.dialog,
} as const satisfies Record<string, ToolSpec>;

export type AriaTool = keyof typeof ARIA_TOOLS;
