import { mapStrings, wellFormed } from '../contract/strings.ts';
import { type Row, RowDraft } from './row.ts';
import { rowHashes } from './row-hashes.ts';

/** Checks a row, makes its text fit for UTF-8 and gives it its hashes. */
export function finishRow(row: RowDraft): Row {
  const checked = RowDraft.parse(mapStrings(row, wellFormed));
  return { ...checked, ...rowHashes(checked) };
}
