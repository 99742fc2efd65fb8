import { createHash } from 'node:crypto';
import { hashJson } from '../contract/canonical.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { fieldsWith, pick } from './row-fields.ts';
import { type Row, RowDraft } from './row.ts';
import { mapStrings, wellFormed } from '../contract/strings.ts';

const COMPARED = fieldsWith('outcome');

/**
 * Picks what two runs of one plan are compared by: what was asked, and the outcome. Left out are times, ids, prose, artifacts, and
 * the hashes and versions of machine and code.
 */
function outcomeOf(row: RowDraft) {
  const { failed_contract: failed } = row;
  return { ...pick(row, COMPARED), failed_contract: failed && { path: failed.path, kind: failed.kind } };
}

/** The fields of two runs' outcomes that differ, with what was recorded and what is. */
export function outcomeDifferences(
  recorded: RowDraft,
  again: RowDraft,
): { field: string; was: unknown; is: unknown }[] {
  const before = new Map<string, unknown>(Object.entries(outcomeOf(recorded)));
  return Object.entries(outcomeOf(again)).flatMap(([field, is]) => {
    const was = before.get(field);
    return hashJson(was) === hashJson(is) ? [] : [{ field, was, is }];
  });
}

/** They follow from all other fields. */
export const ROW_HASHES: ReadonlySet<string> = new Set(['record_hash', 'outcome_hash']);

/** `record_hash` covers everything in the row but the two hashes; `outcome_hash` only what another run of it has to repeat. */
export function rowHashes(row: RowDraft): { record_hash: string; outcome_hash: string } {
  const record = Object.entries(row).filter(([field]) => !ROW_HASHES.has(field));
  return { record_hash: hashJson(Object.fromEntries(record)), outcome_hash: hashJson(outcomeOf(row)) };
}

/** One hash for the outcome of a whole campaign, from its counted rows in plan order. */
export function campaignOutcomeHash(rows: readonly RowDraft[]): string {
  const outcome = new OutcomeHasher();
  for (const row of rows) outcome.take({ ...row, ...rowHashes(row) });
  return outcome.hash();
}

/** The same, one row at a time. */
export class OutcomeHasher {
  readonly #hash = createHash('sha256');
  #last = -1;
  #separator = '[';

  /** @throws BundleError `plan_order` for a row that does not come later in the plan than the one before it. */
  take({ plan_index: place, run_id: id, outcome_hash: outcome }: Row): void {
    if (place <= this.#last) throw new BundleError(fact('plan_order', { row: id, place }));
    this.#last = place;
    // The canonical JSON of the list of all hashes, piece by piece.
    this.#hash.update(`${this.#separator}${JSON.stringify(outcome)}`);
    this.#separator = ',';
  }

  hash(): string {
    return this.#hash
      .copy()
      .update(this.#separator === '[' ? '[]' : ']')
      .digest('hex');
  }
}

/** Checks a row, makes its text fit for UTF-8 and gives it its hashes. */
export function finishRow(row: RowDraft): Row {
  const checked = RowDraft.parse(mapStrings(row, wellFormed));
  return { ...checked, ...rowHashes(checked) };
}
