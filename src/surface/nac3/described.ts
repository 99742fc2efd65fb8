import { z } from 'zod';

// Pages describe themselves, so malformed members are left out.
const Text = z.string().nullish().catch(null);
const Flag = z.boolean().nullish().catch(null);

const ArgRule = z.looseObject({
  type: z.string().optional().catch(undefined),
  required: z.boolean().optional().catch(undefined),
  enum: z.array(z.json()).optional().catch(undefined),
});
const Labels = z.record(z.string(), z.string()).optional().catch(undefined);
const Verb = z.object({
  verb: z.string(),
  label_i18n: Labels,
  args_schema: z.record(z.string(), ArgRule).optional().catch(undefined),
  payload_schema: z.record(z.string(), ArgRule).optional().catch(undefined),
});
export type DeclaredVerb = z.infer<typeof Verb>;

export function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((values) => values.flatMap((value) => [item.safeParse(value)].flatMap((read) => read.data ?? [])));
}

/** A field, unless its value is empty. */
export function given<K extends string, V>(name: K, value: V | null | undefined): { [key in K]?: V } {
  const fields: { [key in K]?: V } = {};
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (!isEmpty) fields[name] = value;
  return fields;
}

/** An element of `describe()` of NAC3 2.3; some runtimes add `options`. */
const Element = z.object({
  nac_id: z.string(),
  plugin: Text,
  role: z.string().catch('action'),
  state: Text,
  field_type: Text,
  action: Text,
  error: Text,
  label: Text,
  value: z.union([z.string(), z.number(), z.boolean()]).nullish().catch(null),
  visible: Flag,
  disabled: Flag,
  checked: Flag,
  a11y_hint: listOf(z.string()),
  options: listOf(z.object({ value: z.string(), label: z.string().catch('') })),
});
export type DescribedElement = z.infer<typeof Element>;

/** The value of `describe()` of NAC3 2.3. */
export const Description = z.object({
  url: Text,
  active: Text,
  plugins: z.array(
    z.object({
      plugin: z.string(),
      plugin_instance_id: Text,
      plugin_state: Text,
      elements: listOf(Element),
    }),
  ),
});
export type Description = z.infer<typeof Description>;

const Manifest = z.object({
  plugin_slug: z.string(),
  elements: listOf(z.object({ id: z.string(), role: z.string(), label_i18n: Labels, actions: listOf(Verb) })),
  actions: listOf(Verb.extend({ nac_id: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

/** The value of `manifest()` for all plugins: by slug, or as a list. */
export const Manifests = z
  .unknown()
  .transform((value) => (Array.isArray(value) ? value : Object.values(z.looseObject({}).catch({}).parse(value))))
  .pipe(listOf(Manifest));

const TableText = z.string().optional().catch(undefined);
const TableFlag = z.boolean().optional().catch(undefined);
const Cell = z.json().catch(null);
const Row = z.record(z.string(), Cell);

const Column = z.object({
  key: z.string(),
  type: TableText,
  editable: TableFlag,
  required: TableFlag,
  computed: TableFlag,
  options: z.array(z.json()).optional().catch(undefined),
});
const Axis = z
  .object({ values: listOf(z.object({ slug: z.string() })) })
  .transform(({ values }) => values.map(({ slug }) => slug))
  .nullish()
  .catch(null);

/** A data table of `describe_v2()` of NAC3 2.3. */
const DescribedTable = z.object({
  table_id: z.string(),
  scope_owner: TableText.nullable().catch(null),
  subkind: TableText,
  current_visibility: TableText,
  schema: z.object({
    columns: listOf(Column),
    row_axis: Axis,
    column_axis: Axis,
    row_id_field: TableText.nullable().catch(null),
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

/** The tables of a page as its runtime describes them. Malformed members are left out. */
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
