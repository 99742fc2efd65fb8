import { z } from 'zod';
import { PAGE_TOOLS, type ToolSpec } from '../page/tools.ts';

const selector = z
  .string()
  .min(1)
  .describe(
    'CSS selector that matches exactly one element, for example "#name". It finds elements in open shadow roots too; for an element in a frame write the selector of the frame, ">>" and the selector in it, for example "#editor >> button"',
  );

/** The arguments of every tool of this surface, with what a model is told of them. */
export const DOM_TOOLS = {
  navigate: PAGE_TOOLS.navigate,
  back: PAGE_TOOLS.back,
  snapshot: {
    description: 'Look at the current tab: its HTML, without scripts, styles and comments.',
    args: z.strictObject({}),
  },
  click: { description: 'Click an element.', args: z.strictObject({ selector }) },
  fill: {
    description: 'Replace the content of a text field.',
    args: z.strictObject({ selector, text: z.string().describe('The new content') }),
  },
  select: {
    description: 'Choose an option of a drop-down list.',
    args: z.strictObject({ selector, option: z.string().min(1).describe('The visible text of the option') }),
  },
  press: PAGE_TOOLS.press,
  scroll: PAGE_TOOLS.scroll,
  wait: PAGE_TOOLS.wait,
  tabs: PAGE_TOOLS.tabs,
  dialog: PAGE_TOOLS.dialog,
} as const satisfies Record<string, ToolSpec>;

export type DomTool = keyof typeof DOM_TOOLS;
