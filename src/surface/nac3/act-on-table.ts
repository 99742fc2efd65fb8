import type { Act } from '../page/view.ts';
import type { TableAction } from './actions.ts';
import { callPage } from './call-page.ts';
import type { NacTab } from './nac-tab.ts';
import { type NacNamed, onNamed } from './on-named.ts';
import type { ShownTable } from './described.ts';
import type { NacShown } from './shown.ts';

export function onTable(action: TableAction): Act<NacTab> {
  return onNamed<ShownTable>({
    find: (shown) => tablesOf(shown, action),
    problem: (shown) => tableProblem(shown, action),
    notOne: (now) =>
      tableProblem(now, action) ?? 'the table is not there any more; call "describe" and name one that is',
    act: async (turn, table, now) => {
      const block = tableBlock(now, table);
      turn.target.learn({ actionable: block === null });
      if (block !== null) return { problem: block };
      // Their order is that of the schema, and of the runtime's parameters.
      const { tool: method, ...args } = action;
      return await callPage(turn, { method, args: Object.values(args) });
    },
  });
}

/** The tables of the name that have the rows, and the columns that they lack. */
function tablesOf(shown: NacShown, action: TableAction): NacNamed<ShownTable> {
  const matches = tablesNamed(shown, action).filter((table) => rowsOf(action).every((row) => hasRow(table, row)));
  const [table] = matches;
  return { matches, invented: table === undefined ? [] : inventedIn(table, action) };
}

function tablesNamed({ tables = [] }: NacShown, { table_id: id }: TableAction): ShownTable[] {
  return tables.filter((table) => table.table_id === id);
}

/** Returns what the description that the agent saw last lacks of what the call names, and what there is; null if nothing. */
function tableProblem(shown: NacShown | null, action: TableAction): string | null {
  if (shown === null) return 'you have not seen a description of this page yet; call "describe" first';
  const named = tablesNamed(shown, action);
  const [table] = named;
  if (table === undefined)
    return `"${action.table_id}" is not a table of the description that you saw last; there is ${listed((shown.tables ?? []).map(({ table_id: id }) => id))}`;
  if (named.length > 1) return `"${action.table_id}" is ${named.length} tables`;
  const gone = rowsOf(action).find((row) => !hasRow(table, row));
  if (gone !== undefined)
    return `"${action.table_id}" has no row "${gone}" in the description that you saw last; it has ${listed(rowIdsIn(table))}`;
  const invented = inventedIn(table, action);
  if (invented.length === 0) return null;
  return `${invented.join(', ')}: not in the description that you saw last; "${action.table_id}" has ${listed(columnsIn(table))}`;
}

/** Returns why no user could act on a table now, or null. */
function tableBlock({ plugins }: NacShown, { table_id: id, hidden, owner }: ShownTable): string | null {
  const owners = plugins.flatMap(({ elements }) => elements).filter(({ nac_id: nacId }) => nacId === owner);
  const isHidden = hidden === true || (owners.length > 0 && owners.every((each) => each.hidden === true));
  return isHidden ? `"${id}" is hidden` : null;
}

type RowId = string | number;

function rowsOf(action: TableAction): RowId[] {
  if ('row_id' in action) return [action.row_id];
  if ('row' in action) return [action.row];
  return 'row_ids' in action ? action.row_ids : [];
}

function inventedIn(table: ShownTable, action: TableAction): string[] {
  const known = new Set(columnsIn(table));
  if ('values' in action) {
    return Object.keys(action.values).flatMap((name) => (known.has(name) ? [] : [`values.${name}`]));
  }
  return 'column' in action && !known.has(action.column) ? ['column'] : [];
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
