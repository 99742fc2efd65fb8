import { type Row, OutcomeHasher } from '../bundle/row.ts';
import { type FiguredRow, FiguredRows } from '../claim/figured-row.ts';
import { z } from 'zod';
import { pick, rowFields } from '../bundle/row-fields.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { Why } from '../claim/figure-fields.ts';

/** Most episodes that a report lists. */
export const MAX_LISTED = 10_000;

/** The input of a report: the figures of all counted rows, and the lines of the first. */
export class CountedRows {
  readonly #figured = new FiguredRows();
  readonly #outcome = new OutcomeHasher();
  readonly figured: FiguredRow[] = [];
  readonly listed: EpisodeLine[] = [];
  /** From the first row; null without rows. */
  version: Pick<Row, 'browser' | 'bench_version' | 'bench_commit' | 'bench_dirty'> | null = null;

  /** Most episodes that ran at once. */
  workers = 1;

  static of(rows: Iterable<Row>): CountedRows {
    const counted = new CountedRows();
    for (const row of rows) counted.take(row);
    return counted;
  }

  /** @throws BundleError `plan_order` unless the row is later in the plan than the last */
  take(row: Row): void {
    this.#outcome.take(row);
    this.figured.push(this.#figured.of(row));
    if (this.listed.length < MAX_LISTED) this.listed.push(episodeLine(row));
    this.workers = Math.max(this.workers, row.concurrency?.workers ?? 1);
    const { browser, bench_version, bench_commit, bench_dirty } = row;
    this.version ??= { browser, bench_version, bench_commit, bench_dirty };
  }

  outcomeHash(): string {
    return this.#outcome.hash();
  }
}

const CELL = ['run_id', 'episode_id', 'suite', 'task', 'instance', 'agent', 'surface', 'iteration'] as const;
const RESULT = [
  'attempt',
  'status',
  'stop',
  'detail',
  'goal_verdict',
  'guard_verdict',
  'steps',
  'wall_ms',
  'tool_errors',
  'no_progress_episodes',
  'response_bytes',
  'model_id',
  'turns',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'price_table',
  'process_isolation',
  'self_reported',
  'final_url',
  'last_tool_call',
  'failed_contract',
  'failure_category',
  'unsettled',
] as const;

export const EpisodeLine = z.strictObject({
  ...pick(rowFields, CELL),
  faults: rowFields.faults.exactOptional(),
  recovered: rowFields.recovered.exactOptional(),
  ...pick(rowFields, RESULT),
  broke: rowFields.broke.exactOptional(),
  milestones: rowFields.milestones.exactOptional(),
  why_not: Why,
  /** The blob of the last picture, if it did not pass. */
  picture: Sha256.exactOptional(),
});
export type EpisodeLine = z.infer<typeof EpisodeLine>;

export function episodeLine(row: Row): EpisodeLine {
  const picture = row.status === 'passed' ? undefined : row.artifacts['screenshot_end'];
  return {
    ...pick(row, CELL),
    ...(row.faults.length === 0 ? {} : pick(row, ['faults', 'recovered'])),
    ...pick(row, RESULT),
    ...(row.broke === undefined ? {} : pick(row, ['broke'])),
    ...(row.milestones === undefined ? {} : pick(row, ['milestones'])),
    why_not: row.status === 'not_applicable' ? (row.null_reasons['steps'] ?? null) : null,
    ...(picture === undefined ? {} : { picture }),
  };
}
