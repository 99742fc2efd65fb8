import { z } from 'zod';
import type { ToolDefinition } from '../../task/tool.ts';

/** A tool: what a model is told of it, and its arguments. */
export interface ToolSpec {
  description: string;
  args: z.ZodType;
}

/** The tools that every surface of ours has that shows pages: they are about the tab, not about anything in it. */
export const PAGE_TOOLS = {
  navigate: {
    description: 'Open an address in the current tab.',
    args: z.strictObject({ url: z.string().min(1).describe('The address in full, for example https://example.com/') }),
  },
  back: { description: 'Go back one page in the history of the current tab.', args: z.strictObject({}) },
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
} as const satisfies Record<string, ToolSpec>;

/**
 * The tools of a surface that shows pages and acts on elements.
 * @param target the argument that names an element
 * @param snapshot says what the agent is shown
 */
export function elementTools<Target extends z.ZodRawShape>(target: Target, snapshot: string) {
  const { navigate, back, press, scroll, wait, tabs, dialog } = PAGE_TOOLS;
  return {
    navigate,
    back,
    snapshot: { description: snapshot, args: z.strictObject({}) },
    click: { description: 'Click an element.', args: z.strictObject(target) },
    fill: {
      description: 'Replace the content of a text field.',
      args: z.strictObject({ ...target, text: z.string().describe('The new content') }),
    },
    select: {
      description: 'Choose an option of a drop-down list.',
      args: z.strictObject({ ...target, option: z.string().min(1).describe('The visible text of the option') }),
    },
    press,
    scroll,
    wait,
    tabs,
    dialog,
  };
}

/** Tools as agents see them. */
export function toolDefinitions(tools: Readonly<Record<string, ToolSpec>>): ToolDefinition[] {
  return Object.entries(tools).map(([name, { description, args }]) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
    return { name, description, input_schema: JSON.parse(JSON.stringify(schema)) };
  });
}
