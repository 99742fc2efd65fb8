import { z } from 'zod';
import type { ToolSpec } from '../page/tools.ts';

const tableId = z.string().min(1).describe('The "table_id" of a table of the latest description');
const rowId = z.union([z.string().min(1), z.number()]).describe('What the row has under the "row_id" of its table');
const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The tools that act on what `describe_v2()` tells of data tables: offered where the runtime of the page has the call of that name. */
export const TABLE_TOOLS = {
  dt_add_row: {
    description: 'Add a row to a table.',
    args: z.strictObject({
      table_id: tableId,
      values: z.record(z.string(), Value).describe('By the keys of the columns'),
    }),
  },
  dt_remove_row: {
    description: 'Remove a row of a table.',
    args: z.strictObject({ table_id: tableId, row_id: rowId }),
  },
  dt_edit_cell: {
    description: 'Give a cell of a table another value.',
    args: z.strictObject({ table_id: tableId, row_id: rowId, column: z.string().min(1), value: Value }),
  },
  dt_set_cell: {
    description: 'Give a cell of a matrix a value.',
    args: z.strictObject({ table_id: tableId, row: z.string().min(1), column: z.string().min(1), value: Value }),
  },
  dt_select: {
    description: 'Select rows of a table, and no others.',
    args: z.strictObject({ table_id: tableId, row_ids: z.array(rowId) }),
  },
  dt_commit: { description: 'Keep what was changed in a table.', args: z.strictObject({ table_id: tableId }) },
  dt_discard: { description: 'Undo what was changed in a table.', args: z.strictObject({ table_id: tableId }) },
} as const satisfies Record<string, ToolSpec>;

export type TableTool = keyof typeof TABLE_TOOLS;
const TableAction = z.discriminatedUnion('tool', [
  TABLE_TOOLS.dt_add_row.args.extend({ tool: z.literal('dt_add_row') }),
  TABLE_TOOLS.dt_remove_row.args.extend({ tool: z.literal('dt_remove_row') }),
  TABLE_TOOLS.dt_edit_cell.args.extend({ tool: z.literal('dt_edit_cell') }),
  TABLE_TOOLS.dt_set_cell.args.extend({ tool: z.literal('dt_set_cell') }),
  TABLE_TOOLS.dt_select.args.extend({ tool: z.literal('dt_select') }),
  TABLE_TOOLS.dt_commit.args.extend({ tool: z.literal('dt_commit') }),
  TABLE_TOOLS.dt_discard.args.extend({ tool: z.literal('dt_discard') }),
]);
export type TableAction = z.infer<typeof TableAction>;

export const TABLE_CALLS = Object.keys(TABLE_TOOLS);

export function isTableTool(name: string): name is TableTool {
  return Object.hasOwn(TABLE_TOOLS, name);
}

/** The call as one that acts on a table; `args` are as the tool's own schema has them. */
export function tableActionOf(tool: TableTool, args: object): TableAction {
  return TableAction.parse({ ...args, tool });
}
