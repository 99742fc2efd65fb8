import type { Row } from '../bundle/row.ts';
import { OutcomeHasher } from '../bundle/row-hashes.ts';
import { type FiguredRow, FiguredRows } from '../claim/figured-row.ts';
import { type EpisodeLine, episodeLine } from './episode-line.ts';

/** Most episodes that a report lists, one by one: of more, neither people nor browsers find anything in it. */
export const MAX_LISTED = 10_000;

/** The input of a report: of each counted row what figures need, and of the first ones all that is listed. */
export class CountedRows {
  readonly #figured = new FiguredRows();
  readonly #outcome = new OutcomeHasher();
  readonly figured: FiguredRow[] = [];
  readonly listed: EpisodeLine[] = [];
  /** From the first row; null when there is none. */
  version: Pick<Row, 'browser' | 'bench_version' | 'bench_commit' | 'bench_dirty'> | null = null;

  /** Most episodes that ran at once. */
  workers = 1;

  static of(rows: Iterable<Row>): CountedRows {
    const counted = new CountedRows();
    for (const row of rows) counted.take(row);
    return counted;
  }

  /**
   * Takes the next row.
   * @throws BundleError `plan_order` for a row that does not come later in the plan than the one before it.
   */
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
