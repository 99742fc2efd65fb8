import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';

/** A call by NAC3: its description for a model, and its arguments, with the name of the tool added. */
function action<T extends string, Shape extends z.ZodRawShape>(tool: T, description: string, args: Shape) {
  return { description, args: z.strictObject(args).transform((given) => ({ tool, ...given })) };
}

const nac_id = z.string().min(1).describe('The "nac_id" of the element, as in the latest description');
const plugin = z.string().min(1).optional().describe('The plugin that it is in; without it the active one is meant');
const BY_ARGS = 'By the names that the verb lists under "args"';

/** The calls that act on what `describe()` of the page's `window.NAC` lists. */
export const NAC_ACTIONS = {
  click: action('click', 'Click an element.', { nac_id }),
  click_by_verb: action(
    'click_by_verb',
    'Do what a verb says: click the one element that has it, or, with "args", ask its host with them.',
    {
      plugin,
      verb: z.string().min(1).describe('An "action" or a "verb" of the latest description'),
      args: JsonObject.optional().describe(BY_ARGS),
    },
  ),
  fill: action('fill', 'Replace the content of a field.', {
    nac_id,
    value: z.union([z.string(), z.number(), z.boolean()]),
  }),
  select: action('select', 'Choose an option of a field.', {
    nac_id,
    value: z.string().describe('The value of the option, or its label'),
  }),
  tab: action('tab', 'Open a tab of the page by its key.', {
    plugin,
    tab_key: z.string().min(1).describe('Its "nac_id"; "tab." may be left out'),
  }),
  tab_by_label: action('tab_by_label', 'Open a tab of the page by its label.', { plugin, label: z.string().min(1) }),
  invoke: action('invoke', 'Ask the host of an element for its action, with a payload.', {
    nac_id,
    payload: JsonObject.default({}).describe(BY_ARGS),
  }),
  utter: action('utter', 'Say something to an element; its host hears the words.', {
    nac_id,
    text: z.string().min(1),
    lang: z.string().min(2).optional().describe('Language of the words, for example "es"'),
  }),
};
export type NacAction = ActionOf<typeof NAC_ACTIONS>;

const table_id = z.string().min(1).describe('The "table_id" of a table of the latest description');
const row_id = z.union([z.string().min(1), z.number()]).describe('What the row has under the "row_id" of its table');
const column = z.string().min(1);
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The calls that act on what `describe_v2()` lists of data tables. A runtime may lack some. */
export const TABLE_ACTIONS = {
  dt_add_row: action('dt_add_row', 'Add a row to a table.', {
    table_id,
    values: z.record(z.string(), value).describe('By the keys of the columns'),
  }),
  dt_remove_row: action('dt_remove_row', 'Remove a row of a table.', { table_id, row_id }),
  dt_edit_cell: action('dt_edit_cell', 'Give a cell of a table another value.', { table_id, row_id, column, value }),
  dt_set_cell: action('dt_set_cell', 'Give a cell of a matrix a value.', {
    table_id,
    row: z.string().min(1),
    column,
    value,
  }),
  dt_select: action('dt_select', 'Select rows of a table, and no others.', { table_id, row_ids: z.array(row_id) }),
  dt_commit: action('dt_commit', 'Keep what was changed in a table.', { table_id }),
  dt_discard: action('dt_discard', 'Undo what was changed in a table.', { table_id }),
};
export type TableAction = ActionOf<typeof TABLE_ACTIONS>;

type ActionOf<All extends Record<string, { args: z.ZodType }>> = z.output<All[keyof All]['args']>;
