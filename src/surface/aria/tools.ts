import { z } from 'zod';
import { elementTools } from '../page/tools.ts';

const ref = z.string().min(1).describe('Reference of the element, as in the latest snapshot, for example "e5"');

export const ARIA_TOOLS = elementTools(
  { ref },
  'Look at the current tab: its accessibility tree, with a reference for every element.',
);
export type AriaTool = keyof typeof ARIA_TOOLS;
