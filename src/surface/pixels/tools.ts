import { z } from 'zod';
import { PAGE_TOOLS, type ToolSpec } from '../page/tools.ts';

const x = z.int().min(0).describe('Pixels from the left edge of the picture');
const y = z.int().min(0).describe('Pixels from the top edge of the picture');
const place = z.strictObject({ x, y });

/** The arguments of every tool of this surface, with what a model is told of them. */
export const PIXEL_TOOLS = {
  navigate: PAGE_TOOLS.navigate,
  back: PAGE_TOOLS.back,
  snapshot: { description: 'Look at the current tab: a picture of what it shows now.', args: z.strictObject({}) },
  move: { description: 'Move the mouse to a place in the picture.', args: place },
  click: { description: 'Click at a place in the picture.', args: place },
  double_click: { description: 'Click twice at a place in the picture.', args: place },
  drag: {
    description: 'Press the mouse button at one place in the picture and let go at another.',
    args: z.strictObject({ x, y, to_x: x, to_y: y }),
  },
  type: {
    description: 'Type a text where the focus is.',
    args: z.strictObject({ text: z.string().min(1).describe('A line break is the key Enter') }),
  },
  press: PAGE_TOOLS.press,
  scroll: {
    description: 'Turn the mouse wheel at a place in the picture.',
    args: PAGE_TOOLS.scroll.args.extend({ x, y }),
  },
  wait: PAGE_TOOLS.wait,
  tabs: PAGE_TOOLS.tabs,
  dialog: PAGE_TOOLS.dialog,
} as const satisfies Record<string, ToolSpec>;

export type PixelTool = keyof typeof PIXEL_TOOLS;
