import { createHash } from 'node:crypto';
import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import { type Status, statusOf } from '../contract/status.ts';
import { wellFormedJson } from '../contract/strings.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { deriveMode } from './row-words.ts';
import { fieldsWith, pick, rowFields } from './row-fields.ts';
import { Sha256 } from './sha256.ts';

/** The result of one attempt of one episode. A value that was not measured is null, with its reason in `null_reasons`. */
export const Row = z
  .strictObject({ ...rowFields, record_hash: Sha256, outcome_hash: Sha256 })
  .superRefine(refuseContradictions);
export type Row = z.infer<typeof Row>;

export type Unhashed = Omit<Row, 'record_hash' | 'outcome_hash'>;

export const MEASURED_FIELDS: readonly string[] = fieldsWith('measured');

function refuseContradictions(row: Unhashed, context: z.RefinementCtx): void {
  const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const values = new Map<string, unknown>(Object.entries(row));
  for (const field of MEASURED_FIELDS) {
    if (values.get(field) === null && row.null_reasons[field] === undefined) {
      issue([field], `is null without a reason; say why in null_reasons.${field}`);
    }
  }
  for (const field of Object.keys(row.null_reasons)) {
    if (values.get(field) !== null) issue(['null_reasons', field], `explains "${field}", which is not a null field`);
  }
  const statuses = possibleStatuses(row);
  if (!statuses.includes(row.status))
    issue(['status'], `contradicts stop and verdicts, which make it "${statuses.join('" or "')}"`);
  // Another attempt follows only an infrastructure error: a failure that does not count would be a second chance.
  if (!row.counts && row.status !== 'infra_error') issue(['counts'], 'may be false for an infra_error only');
  if (row.declared_done !== (row.stop === 'done')) issue(['declared_done'], 'contradicts stop');
  const recovered = recoveredOf(row);
  if (row.recovered !== recovered) issue(['recovered'], `contradicts faults and status, which make it ${recovered}`);
  const mode = deriveMode({ ...row, dry_run: row.mode === 'dry-run' });
  if (row.mode !== mode) issue(['mode'], `contradicts the facts, which make it "${mode}"`);
}

/** Whether a task was passed though a fault fired; null when none did. */
export function recoveredOf({ faults: all, status }: Pick<Row, 'faults' | 'status'>): boolean | null {
  return all.some(({ fired }) => fired) ? status === 'passed' : null;
}

/** An episode that never ran has no stop. */
function possibleStatuses({ stop, goal_verdict: goal, guard_verdict: guard }: Unhashed): readonly Status[] {
  return stop === null ? ['not_applicable', 'unavailable'] : [statusOf(stop, { goal, guard })];
}

/** Makes the text fit for UTF-8, adds the hashes and checks the row. */
export function finishRow(row: Unhashed): Row {
  const text = wellFormedJson(row);
  return Row.parse({ ...text, ...rowHashes(text) });
}

export type AttemptKey = Pick<Row, 'episode_id' | 'attempt'>;

const COMPARED = fieldsWith('outcome');

/**
 * The fields by which two runs of one plan are compared: without times, ids, prose, artifacts, and hashes and versions of
 * machine and code.
 */
function outcomeOf(row: Unhashed) {
  const { failed_contract: failed, milestones } = row;
  return {
    ...pick(row, COMPARED),
    failed_contract: failed && { path: failed.path, kind: failed.kind },
    ...(milestones === undefined ? {} : { milestones }),
  };
}

export function outcomeDifferences(recorded: Row, again: Row): { field: string; was: unknown; is: unknown }[] {
  const before = new Map<string, unknown>(Object.entries(outcomeOf(recorded)));
  return Object.entries(outcomeOf(again)).flatMap(([field, is]) => {
    const was = before.get(field);
    return hashJson(was) === hashJson(is) ? [] : [{ field, was, is }];
  });
}

export const ROW_HASHES: ReadonlySet<string> = new Set(['record_hash', 'outcome_hash']);

/** `record_hash` covers all but the two hashes; `outcome_hash` what another run has to repeat. */
export function rowHashes(row: Unhashed): { record_hash: string; outcome_hash: string } {
  const record = Object.entries(row).filter(([field]) => !ROW_HASHES.has(field));
  return { record_hash: hashJson(Object.fromEntries(record)), outcome_hash: hashJson(outcomeOf(row)) };
}

/** The hash of a campaign's outcome, from its counted rows in plan order. */
export function campaignOutcomeHash(rows: readonly Row[]): string {
  const outcome = new OutcomeHasher();
  for (const row of rows) outcome.take({ ...row, ...rowHashes(row) });
  return outcome.hash();
}

/** The same, one row at a time. */
export class OutcomeHasher {
  readonly #hash = createHash('sha256');
  #last = -1;
  #separator = '[';

  /** @throws BundleError `plan_order` for a row that is not later in the plan than the one before it. */
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
