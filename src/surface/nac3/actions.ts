import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';

const nacId = z.string().min(1).describe('The "nac_id" of the element, as in the latest description');
const plugin = z.string().min(1).optional().describe('The plugin that it is in; without it the active one is meant');

/** The arguments of the tools that act on what `describe()` of the page's `window.NAC` lists. */
export const NAC_ARGS = {
  click: z.strictObject({ nac_id: nacId }),
  click_by_verb: z.strictObject({
    plugin,
    verb: z.string().min(1).describe('An "action" or a "verb" of the latest description'),
    args: JsonObject.optional().describe('By the names that the verb lists under "args"'),
  }),
  fill: z.strictObject({ nac_id: nacId, value: z.union([z.string(), z.number(), z.boolean()]) }),
  select: z.strictObject({ nac_id: nacId, value: z.string().describe('The value of the option, or its label') }),
  tab: z.strictObject({ plugin, tab_key: z.string().min(1).describe('Its "nac_id"; "tab." may be left out') }),
  tab_by_label: z.strictObject({ plugin, label: z.string().min(1) }),
  invoke: z.strictObject({
    nac_id: nacId,
    payload: JsonObject.default({}).describe('By the names that the verb lists under "args"'),
  }),
  utter: z.strictObject({
    nac_id: nacId,
    text: z.string().min(1),
    lang: z.string().min(2).optional().describe('Language of the words, for example "es"'),
  }),
};
/** A call of a tool that acts on an element by NAC3. */
export type NacAction = ActionsOf<typeof NAC_ARGS>;

const tableId = z.string().min(1).describe('The "table_id" of a table of the latest description');
const rowId = z.union([z.string().min(1), z.number()]).describe('What the row has under the "row_id" of its table');
const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The arguments of the tools that act on what `describe_v2()` lists of data tables. */
export const TABLE_ARGS = {
  dt_add_row: z.strictObject({
    table_id: tableId,
    values: z.record(z.string(), Value).describe('By the keys of the columns'),
  }),
  dt_remove_row: z.strictObject({ table_id: tableId, row_id: rowId }),
  dt_edit_cell: z.strictObject({ table_id: tableId, row_id: rowId, column: z.string().min(1), value: Value }),
  dt_set_cell: z.strictObject({ table_id: tableId, row: z.string().min(1), column: z.string().min(1), value: Value }),
  dt_select: z.strictObject({ table_id: tableId, row_ids: z.array(rowId) }),
  dt_commit: z.strictObject({ table_id: tableId }),
  dt_discard: z.strictObject({ table_id: tableId }),
};
/** A call of a tool that acts on a table by NAC3. */
export type TableAction = ActionsOf<typeof TABLE_ARGS>;

/** The calls on tables that a runtime may have. */
export const TABLE_CALLS = Object.keys(TABLE_ARGS);

type ActionsOf<All extends Record<string, z.ZodType>> = { [T in keyof All]: { tool: T } & z.output<All[T]> }[keyof All];
