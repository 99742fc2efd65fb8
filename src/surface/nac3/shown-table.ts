import { z } from 'zod';
import { given, listOf } from './described.ts';

const Text = z.string().optional().catch(undefined);
const Flag = z.boolean().optional().catch(undefined);
const Cell = z.json().catch(null);
const Row = z.record(z.string(), Cell);

const Column = z.object({
  key: z.string(),
  type: Text,
  editable: Flag,
  required: Flag,
  computed: Flag,
  options: z.array(z.json()).optional().catch(undefined),
});
const Axis = z
  .object({ values: listOf(z.object({ slug: z.string() })) })
  .transform(({ values }) => values.map(({ slug }) => slug))
  .nullish()
  .catch(null);

/** A data table as `describe_v2()` of NAC3 2.3 has it. */
const DescribedTable = z.object({
  table_id: z.string(),
  scope_owner: Text.nullable().catch(null),
  subkind: Text,
  current_visibility: Text,
  schema: z.object({
    columns: listOf(Column),
    row_axis: Axis,
    column_axis: Axis,
    row_id_field: Text.nullable().catch(null),
    supports: listOf(z.string()),
  }),
  current_state: z
    .object({ rows: listOf(Row), cells: listOf(Row), aggregates: Cell.optional(), selected_ids: listOf(z.string()) })
    .nullish()
    .catch(null),
});

export const ShownTable = z.object({
  table_id: z.string(),
  kind: z.string().optional(),
  owner: z.string().optional(),
  hidden: z.literal(true).optional(),
  /** The column by which rows are named. */
  row_id: z.string().optional(),
  columns: z.array(Column).optional(),
  row_axis: z.array(z.string()).optional(),
  column_axis: z.array(z.string()).optional(),
  supports: z.array(z.string()).optional(),
  selected: z.array(z.string()).optional(),
  aggregates: z.json().optional(),
  rows: z.array(Row).optional(),
  cells: z.array(Row).optional(),
});
export type ShownTable = z.infer<typeof ShownTable>;

/** The tables of a page as its runtime describes them. Members of another form are left out. */
export const ShownTables = listOf(DescribedTable).transform((tables): ShownTable[] =>
  tables.map(({ table_id: id, scope_owner: owner, subkind, current_visibility: visibility, schema, current_state }) => {
    const { columns, row_axis: rowAxis, column_axis: columnAxis, row_id_field: rowId, supports } = schema;
    const state = current_state ?? { rows: [], cells: [], selected_ids: [], aggregates: undefined };
    const isMatrix = subkind === 'matrix';
    const hasAggregates = Object.keys(Object(state.aggregates)).length > 0;
    return {
      table_id: id,
      ...given('kind', subkind),
      ...given('owner', owner),
      ...(visibility === 'hidden' ? { hidden: true as const } : {}),
      ...given('row_id', rowId),
      ...(isMatrix ? { row_axis: rowAxis ?? [], column_axis: columnAxis ?? [] } : { columns }),
      ...given('supports', supports),
      ...given('selected', state.selected_ids),
      ...(hasAggregates ? { aggregates: state.aggregates } : {}),
      ...(isMatrix ? { cells: state.cells } : { rows: state.rows }),
    };
  }),
);
