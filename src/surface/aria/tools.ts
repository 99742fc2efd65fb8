import { z } from 'zod';
import type { ToolDefinition } from '../../task/tool.ts';

const ref = z.string().min(1).describe('Reference of the element, as in the latest snapshot, for example "e5"');

/** The arguments of every tool of this surface, with what a model is told of them. */
export const ARIA_TOOLS = {
  navigate: {
    description: 'Open an address in the current tab.',
    args: z.strictObject({ url: z.string().min(1).describe('The address in full, for example https://example.com/') }),
  },
  back: { description: 'Go back one page in the history of the current tab.', args: z.strictObject({}) },
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
  press: {
    description: 'Press a key, or keys together, in the current tab.',
    args: z.strictObject({ key: z.string().min(1).describe('For example "Enter" or "Control+A"') }),
  },
  scroll: {
    description: 'Scroll the current tab.',
    args: z.strictObject({ direction: z.enum(['up', 'down', 'left', 'right']), pixels: z.int().min(1).max(10_000) }),
  },
  wait: {
    description: 'Wait until a text is visible in the current tab, at most five seconds.',
    args: z.strictObject({ text: z.string().min(1) }),
  },
  tabs: {
    description: 'Select or close a tab. Tabs count from 0 in the order in which they were opened.',
    args: z.strictObject({ action: z.enum(['select', 'close']), index: z.int().min(0) }),
  },
  dialog: {
    description: 'Answer the dialog that is open.',
    args: z.strictObject({
      action: z.enum(['accept', 'dismiss']),
      text: z.string().optional().describe('What to enter, when the dialog asks for text'),
    }),
  },
} as const satisfies Record<string, { description: string; args: z.ZodType }>;

export type AriaTool = keyof typeof ARIA_TOOLS;
export type ArgsOf<T extends AriaTool> = z.infer<(typeof ARIA_TOOLS)[T]['args']>;

export function isAriaTool(name: string): name is AriaTool {
  return Object.hasOwn(ARIA_TOOLS, name);
}

/** The tools as agents see them. */
export function ariaToolDefinitions(): ToolDefinition[] {
  return Object.entries(ARIA_TOOLS).map(([name, { description, args }]) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(args);
    return { name, description, input_schema: JSON.parse(JSON.stringify(schema)) };
  });
}
