import { wellFormed } from '../contract/strings.ts';
import { MAX_DETAIL_LENGTH } from './row-fields.ts';

/** As much of a stop's detail as a row holds; events.jsonl has the whole. A cut may leave half of a character. */
export function shortDetail(detail: string | null): string | null {
  if (detail === null || detail.length <= MAX_DETAIL_LENGTH) return detail;
  return wellFormed(`${detail.slice(0, MAX_DETAIL_LENGTH - 1)}…`);
}
