import { createHash } from 'node:crypto';
import { hashJson } from '../contract/canonical.ts';
import { BundleError } from './errors.ts';
import type { Row, RowDraft } from './row.ts';

/**
 * The fields by which two runs of the same plan are compared: what was asked, and the outcome.
 * Left out are times, ids, prose, artifacts, and the hashes and versions of the machine and code at hand.
 */
function outcomeOf(row: RowDraft) {
  return {
    suite: row.suite,
    task: row.task,
    category: row.category,
    task_hash: row.task_hash,
    contract_hash: row.contract_hash,
    instance: row.instance,
    seed: row.seed,
    agent: row.agent,
    model_id: row.model_id,
    surface: row.surface,
    interaction: row.interaction,
    iteration: row.iteration,
    plan_index: row.plan_index,
    mode: row.mode,
    status: row.status,
    stop: row.stop,
    goal_verdict: row.goal_verdict,
    guard_verdict: row.guard_verdict,
    failed_contract: row.failed_contract && { path: row.failed_contract.path, kind: row.failed_contract.kind },
    failure_category: row.failure_category,
    declared_done: row.declared_done,
    answer: row.answer,
    final_url: row.final_url,
    steps: row.steps,
    turns: row.turns,
    tool_errors: row.tool_errors,
    no_progress_episodes: row.no_progress_episodes,
    target_classes: row.target_classes,
    hallucination: row.hallucination,
    script_calls: row.script_calls,
    off_archive: row.off_archive,
    violations: row.violations,
    faults: row.faults,
    recovered: row.recovered,
  };
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
    if (place <= this.#last) throw outOfOrder(id, place);
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

function outOfOrder(id: string, place: number): BundleError {
  const problem = `row ${id} is not in plan order (plan_index ${place})`;
  return new BundleError('plan_order', problem, 'sort the rows by plan_index and give one row for each episode');
}
