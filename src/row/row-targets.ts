import type { RowDraft } from '../bundle/row.ts';
import type { EpisodeResult } from '../episode/result.ts';
import { targetFigures } from '../episode/target-ledger.ts';

/** What the calls of an attempt aimed at, as its row has it, and why a field of it is empty. */
export function targetsOf({ trajectory, status }: Pick<EpisodeResult, 'trajectory' | 'status'>) {
  // Of the calls of an agent that drives the browser itself, nothing was seen.
  if (trajectory === null || trajectory.reported !== null) return { fields: {}, reasons: {} };
  const { classes, hallucination, why } = targetFigures(trajectory.targets, status === 'passed');
  const fields: Partial<RowDraft> = { target_classes: classes, hallucination };
  const empty = Object.entries(fields).filter(([, value]) => value === null);
  const reasons = why === null ? {} : Object.fromEntries(empty.map(([field]) => [field, why]));
  return { fields, reasons };
}
