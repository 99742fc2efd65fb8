import type { Act } from '../page/view.ts';
import type { TableAction } from './actions.ts';
import { callPage, type NacCall } from './call-page.ts';
import type { NacTab } from './nac-tab.ts';
import { type NacNamed, onNamed } from './on-named.ts';
import type { ShownTable } from './shown-table.ts';
import type { NacShown } from './shown.ts';

/** Has the page's runtime act on a table. */
export function onTable(action: TableAction): Act<NacTab> {
  return onNamed<ShownTable>({
    find: (shown) => tablesOf(shown, action),
    problem: (shown) => tableProblem(shown, action),
    notOne: (now) =>
      tableProblem(now, action) ?? 'the table is not there any more; call "describe" and name one that is',
    act: async (turn, table, now) => {
      const block = tableBlock(now, table);
      turn.target.learn({ actionable: block === null });
      return block === null ? await callPage(turn, tableCallOf(action)) : { problem: block };
    },
  });
}

/** The tables of a name, without those that have no such row, and the columns that they do not have. */
function tablesOf({ tables = [] }: NacShown, action: TableAction): NacNamed<ShownTable> {
  const named = tables.filter(({ table_id: id }) => id === action.table_id);
  const matches = named.filter((table) => rowsOf(action).every((row) => hasRow(table, row)));
  const [table] = matches;
  return { matches, invented: table === undefined ? [] : inventedIn(table, action) };
}

/** Null when the description that the agent saw last has everything that the call names; else what is wrong, and what there is. */
function tableProblem(shown: NacShown | null, action: TableAction): string | null {
  if (shown === null) return 'you have not seen a description of this page yet; call "describe" first';
  const { tables = [] } = shown;
  const named = tables.filter(({ table_id: id }) => id === action.table_id);
  const [table] = named;
  if (table === undefined)
    return `"${action.table_id}" is no table of the description that you saw last; there is ${listed(tables.map(({ table_id: id }) => id))}`;
  if (named.length > 1) return `"${action.table_id}" is ${named.length} tables`;
  const gone = rowsOf(action).find((row) => !hasRow(table, row));
  if (gone !== undefined)
    return `"${action.table_id}" has no row "${gone}" in the description that you saw last; it has ${listed(rowIdsIn(table))}`;
  const invented = inventedIn(table, action);
  if (invented.length === 0) return null;
  return `${invented.join(', ')}: not in the description that you saw last; "${action.table_id}" has ${listed(columnsIn(table))}`;
}

/** Why no user could act on a table now; null when one could. */
function tableBlock({ plugins }: NacShown, { table_id: id, hidden, owner }: ShownTable): string | null {
  const owners = plugins.flatMap(({ elements }) => elements).filter(({ nac_id: nacId }) => nacId === owner);
  const isHidden = hidden === true || (owners.length > 0 && owners.every((each) => each.hidden === true));
  return isHidden ? `"${id}" is hidden` : null;
}

/** The call as the page's runtime takes it. */
function tableCallOf(action: TableAction): NacCall {
  const { tool: method, table_id: id } = action;
  switch (action.tool) {
    case 'dt_add_row':
      return { method, args: [id, action.values] };
    case 'dt_remove_row':
      return { method, args: [id, action.row_id] };
    case 'dt_edit_cell':
      return { method, args: [id, action.row_id, action.column, action.value] };
    case 'dt_set_cell':
      return { method, args: [id, action.row, action.column, action.value] };
    case 'dt_select':
      return { method, args: [id, action.row_ids] };
    case 'dt_commit':
    case 'dt_discard':
      return { method, args: [id] };
  }
}

/** Rows are named as their table has it: by text or by number. */
type RowId = string | number;

function rowsOf(action: TableAction): RowId[] {
  switch (action.tool) {
    case 'dt_remove_row':
    case 'dt_edit_cell':
      return [action.row_id];
    case 'dt_set_cell':
      return [action.row];
    case 'dt_select':
      return action.row_ids;
    case 'dt_add_row':
    case 'dt_commit':
    case 'dt_discard':
      return [];
  }
}

function inventedIn(table: ShownTable, action: TableAction): string[] {
  const known = new Set(columnsIn(table));
  if (action.tool === 'dt_add_row') {
    return Object.keys(action.values)
      .filter((name) => !known.has(name))
      .map((name) => `values.${name}`);
  }
  if (action.tool !== 'dt_edit_cell' && action.tool !== 'dt_set_cell') return [];
  return known.has(action.column) ? [] : ['column'];
}

function hasRow(table: ShownTable, row: RowId): boolean {
  return rowIdsIn(table).includes(row);
}

function rowIdsIn({ rows = [], row_id: key, row_axis: axis }: ShownTable): RowId[] {
  if (axis !== undefined) return axis;
  return rows.flatMap((row) => {
    const id = key === undefined ? null : row[key];
    return typeof id === 'string' || typeof id === 'number' ? [id] : [];
  });
}

function columnsIn({ columns, column_axis: axis = [] }: ShownTable): string[] {
  return columns === undefined ? axis : columns.map(({ key }) => key);
}

function listed(names: readonly RowId[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
