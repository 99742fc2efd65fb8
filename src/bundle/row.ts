import { z } from 'zod';
import { type Status, statusOf } from '../contract/status.ts';
import { deriveMode } from './row-words.ts';
import { fieldsWith, rowFields } from './row-fields.ts';
import { Sha256 } from './sha256.ts';

/** A row before it is hashed. */
export const RowDraft = z.strictObject(rowFields).superRefine(refuseContradictions);
export type RowDraft = z.infer<typeof RowDraft>;

/** The result of one attempt of one episode. A value that was not measured is null, with its reason in `null_reasons`. */
export const Row = z
  .strictObject({ ...rowFields, record_hash: Sha256, outcome_hash: Sha256 })
  .superRefine(refuseContradictions);
export type Row = z.infer<typeof Row>;

/** Fields that are null only with a reason. */
export const MEASURED_FIELDS: readonly string[] = fieldsWith('measured');

function refuseContradictions(row: z.infer<z.ZodObject<typeof rowFields>>, context: z.RefinementCtx): void {
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
  // Another attempt follows an infrastructure error alone: a failure that does not count would be a second chance.
  if (!row.counts && row.status !== 'infra_error') issue(['counts'], 'may be false for an infra_error only');
  if (row.declared_done !== (row.stop === 'done')) issue(['declared_done'], 'contradicts stop');
  const recovered = recoveredOf(row);
  if (row.recovered !== recovered) issue(['recovered'], `contradicts faults and status, which make it ${recovered}`);
  const mode = deriveMode({ ...row, dry_run: row.mode === 'dry-run' });
  if (row.mode !== mode) issue(['mode'], `contradicts the facts, which make it "${mode}"`);
}

/** Whether a task was passed though a fault fired; null when none did. */
export function recoveredOf({ faults: all, status }: Pick<RowDraft, 'faults' | 'status'>): boolean | null {
  return all.some(({ fired }) => fired) ? status === 'passed' : null;
}

/** List the statuses that a stop allows. An episode that never ran has no stop; for everything else one table gives the status. */
function possibleStatuses({ stop, goal_verdict: goal, guard_verdict: guard }: RowDraft): readonly Status[] {
  return stop === null ? ['not_applicable', 'unavailable'] : [statusOf(stop, { goal, guard })];
}
