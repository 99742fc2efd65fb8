import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import type { ToolDefinition } from '../../task/tool.ts';
import { PAGE_TOOLS } from '../page/tools.ts';
import { isTableTool, TABLE_TOOLS } from './table-tools.ts';

const nacId = z.string().min(1).describe('The "nac_id" of the element, as in the latest description');
const plugin = z.string().min(1).optional().describe('The plugin that it is in; without it the active one is meant');

/** The tools that act on what `describe()` of the page's `window.NAC` tells of. */
export const NAC_TOOLS = {
  click: { description: 'Click an element.', args: z.strictObject({ nac_id: nacId }) },
  click_by_verb: {
    description: 'Do what a verb says: click the one element that has it, or, with "args", ask its host with them.',
    args: z.strictObject({
      plugin,
      verb: z.string().min(1).describe('An "action" or a "verb" of the latest description'),
      args: JsonObject.optional().describe('By the names that the verb lists under "args"'),
    }),
  },
  fill: {
    description: 'Replace the content of a field.',
    args: z.strictObject({ nac_id: nacId, value: z.union([z.string(), z.number(), z.boolean()]) }),
  },
  select: {
    description: 'Choose an option of a field.',
    args: z.strictObject({ nac_id: nacId, value: z.string().describe('The value of the option, or its label') }),
  },
  tab: {
    description: 'Open a tab of the page by its key.',
    args: z.strictObject({ plugin, tab_key: z.string().min(1).describe('Its "nac_id"; "tab." may be left out') }),
  },
  tab_by_label: {
    description: 'Open a tab of the page by its label.',
    args: z.strictObject({ plugin, label: z.string().min(1) }),
  },
  invoke: {
    description: 'Ask the host of an element for its action, with a payload.',
    args: z.strictObject({
      nac_id: nacId,
      payload: JsonObject.default({}).describe('By the names that the verb lists under "args"'),
    }),
  },
  utter: {
    description: 'Say something to an element; its host hears the words.',
    args: z.strictObject({
      nac_id: nacId,
      text: z.string().min(1),
      lang: z.string().min(2).optional().describe('Language of the words, for example "es"'),
    }),
  },
} as const satisfies Record<string, { description: string; args: z.ZodType }>;

const { navigate, back, press, scroll, wait, tabs, dialog } = PAGE_TOOLS;
/** The tools of the browser's tabs, which are those of every surface that shows pages. */
export const TAB_TOOLS = { navigate, back, press, scroll, wait, tabs, dialog };

const DESCRIBE = {
  describe: {
    description: 'Look at the current tab: what its page says of itself by NAC3.',
    args: z.strictObject({}),
  },
};

export const NAC3_TOOLS = { ...DESCRIBE, ...NAC_TOOLS, ...TABLE_TOOLS, ...TAB_TOOLS };
export type Nac3Tool = keyof typeof NAC3_TOOLS;
type NacTool = keyof typeof NAC_TOOLS;

/** A call of a tool that acts on the page by NAC3. */
export type NacAction = { [T in NacTool]: { tool: T } & z.infer<(typeof NAC_TOOLS)[T]['args']> }[NacTool];

export function isNac3Tool(name: string): name is Nac3Tool {
  return Object.hasOwn(NAC3_TOOLS, name);
}

/** The call as one that acts on the page; null when its tool does not. `args` are as the tool's own schema has them. */
export function nacActionOf(tool: Nac3Tool, args: unknown): NacAction | null {
  switch (tool) {
    case 'click':
      return { tool, ...NAC_TOOLS.click.args.parse(args) };
    case 'click_by_verb':
      return { tool, ...NAC_TOOLS.click_by_verb.args.parse(args) };
    case 'fill':
      return { tool, ...NAC_TOOLS.fill.args.parse(args) };
    case 'select':
      return { tool, ...NAC_TOOLS.select.args.parse(args) };
    case 'tab':
      return { tool, ...NAC_TOOLS.tab.args.parse(args) };
    case 'tab_by_label':
      return { tool, ...NAC_TOOLS.tab_by_label.args.parse(args) };
    case 'invoke':
      return { tool, ...NAC_TOOLS.invoke.args.parse(args) };
    case 'utter':
      return { tool, ...NAC_TOOLS.utter.args.parse(args) };
    case 'dt_add_row':
    case 'dt_remove_row':
    case 'dt_edit_cell':
    case 'dt_set_cell':
    case 'dt_select':
    case 'dt_commit':
    case 'dt_discard':
    case 'describe':
    case 'navigate':
    case 'back':
    case 'press':
    case 'scroll':
    case 'wait':
    case 'tabs':
    case 'dialog':
      return null;
  }
}

/**
 * The tools as agents see them.
 * @param calls the calls on tables that the runtime of the page has
 */
export function nac3ToolDefinitions(calls: readonly string[]): ToolDefinition[] {
  const offered = Object.entries(NAC3_TOOLS).filter(([name]) => !isTableTool(name) || calls.includes(name));
  return offered.map(([name, { description, args }]) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
    return { name, description, input_schema: JSON.parse(JSON.stringify(schema)) };
  });
}
