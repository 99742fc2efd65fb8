import { z } from 'zod';
import { elementTools } from '../page/tools.ts';

const selector = z
  .string()
  .min(1)
  .describe(
    'CSS selector that matches exactly one element, for example "#name". It finds elements in open shadow roots too; for an element in a frame write the selector of the frame, ">>" and the selector in it, for example "#editor >> button"',
  );

export const DOM_TOOLS = elementTools(
  { selector },
  'Look at the current tab: its HTML, without scripts, styles and comments.',
);
export type DomTool = keyof typeof DOM_TOOLS;
