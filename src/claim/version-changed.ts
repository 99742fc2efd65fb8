import type { FiguredRow } from './figured-row.ts';
import { entrantName } from './figures.ts';
import { tally, those } from './group.ts';
import { faultsOf, faultyCellOf } from './faulty-rows.ts';
import { shortened } from '../messages/printable.ts';

/** A field of which rows of one group have one value, as long as nothing was changed in the middle of a campaign. */
interface Constant {
  field: 'surface_version' | 'model_id_returned' | 'runtime_version' | 'runtime_hash' | 'tool_list_hash';
  within: (row: FiguredRow) => string;
  /** Whether the row has a value of its own; without it any but null is one. */
  isRead?: (row: FiguredRow) => boolean;
}

const CONSTANTS: readonly Constant[] = [
  {
    field: 'surface_version',
    // An app's own tools have the version of the app, and a suite has one.
    within: (row) => `${entrantName(row)} ${row.suite}`,
    // Where a surface was never open, the row has what was pinned, which a server may call otherwise.
    isRead: (row) => row.tool_list_hash !== null,
  },
  { field: 'model_id_returned', within: ({ agent }) => agent },
  // A fault may keep a page from a module of its runtime.
  { field: 'runtime_version', within: (row) => `${entrantName(row)} ${row.suite} ${faultsOf(row)}` },
  { field: 'runtime_hash', within: (row) => `${entrantName(row)} ${row.suite} ${faultsOf(row)}` },
  // An app's own tools are those of the page where a task starts; from one repetition to the next they are the same.
  { field: 'tool_list_hash', within: (row) => `${entrantName(row)} ${faultyCellOf(row)}` },
];

const MOST_CHANGES = 3;
const MOST_CHARACTERS = 80;

/** Lists what did not stay the same, with the values; null if everything did. An unknown value is no change. */
export function versionChanged(rows: readonly FiguredRow[]): { count: number; changes: string[] } | null {
  const changes = CONSTANTS.flatMap(({ field, within, isRead }) => {
    const known = those(rows, (row) => row[field] !== null && (isRead?.(row) ?? true));
    return [...tally(known, within, (row) => row[field] ?? '')].flatMap(([where, values]) =>
      values.size === 1 ? [] : [`${field} of ${where.trim()}: ${[...values].map(valueText).join(', ')}`],
    );
  });
  return changes.length === 0 ? null : { count: changes.length, changes: changes.slice(0, MOST_CHANGES) };
}

function valueText([value, count]: readonly [string, number]): string {
  return `${shortened(value, MOST_CHARACTERS)} (${count})`;
}
