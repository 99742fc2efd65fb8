import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import type { ToolDefinition } from '../../task/tool.ts';
import { PAGE_TOOLS, toolDefinitions, type ToolSpec } from '../page/tools.ts';
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
} as const satisfies Record<string, ToolSpec>;

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

const NacAction = z.discriminatedUnion('tool', [
  NAC_TOOLS.click.args.extend({ tool: z.literal('click') }),
  NAC_TOOLS.click_by_verb.args.extend({ tool: z.literal('click_by_verb') }),
  NAC_TOOLS.fill.args.extend({ tool: z.literal('fill') }),
  NAC_TOOLS.select.args.extend({ tool: z.literal('select') }),
  NAC_TOOLS.tab.args.extend({ tool: z.literal('tab') }),
  NAC_TOOLS.tab_by_label.args.extend({ tool: z.literal('tab_by_label') }),
  NAC_TOOLS.invoke.args.extend({ tool: z.literal('invoke') }),
  NAC_TOOLS.utter.args.extend({ tool: z.literal('utter') }),
]);
/** A call of a tool that acts on the page by NAC3. */
export type NacAction = z.infer<typeof NacAction>;

export function isNac3Tool(name: string): name is Nac3Tool {
  return Object.hasOwn(NAC3_TOOLS, name);
}

/** The call as one that acts on the page; null when its tool does not. `args` are as the tool's own schema has them. */
export function nacActionOf(tool: Nac3Tool, args: object): NacAction | null {
  return Object.hasOwn(NAC_TOOLS, tool) ? NacAction.parse({ ...args, tool }) : null;
}

/**
 * The tools as agents see them.
 * @param calls the calls on tables that the runtime of the page has
 */
export function nac3ToolDefinitions(calls: readonly string[]): ToolDefinition[] {
  const offered = Object.entries(NAC3_TOOLS).filter(([name]) => !isTableTool(name) || calls.includes(name));
  return toolDefinitions(Object.fromEntries(offered));
}
