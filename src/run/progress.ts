import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { readSealedRow, type SealedRow } from '../bundle/sealed-rows.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { EarlierAttempts } from './episode-runner.ts';
import { rm } from 'node:fs/promises';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { isMissing } from '../bundle/errors.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { MoneyBudget } from '../episode/budget.ts';
import type { RecordedEvent } from '../episode/events.ts';
import { recordedEvents } from '../row/recorded.ts';

/** The attempt that counts for an episode. Rows stay on disk, as there may be any number of them. */
interface Finished {
  attempt: number;
  sealHash: string;
}

/** Reads from the ledger which episodes of a plan are done, so that a killed campaign can resume. */
export class Progress {
  readonly #finished = new Map<string, Finished>();
  readonly #started = new Map<string, number>();
  readonly #infraErrors = new Map<string, number>();
  readonly #interruptions = new Map<string, number>();
  /** Attempts that started and never ended. */
  readonly killed: readonly { episode_id: string; attempt: number }[];

  private constructor(
    started: readonly { episode_id: string; attempt: number }[],
    killed: readonly { episode_id: string; attempt: number }[],
    interrupted: readonly { episode_id: string }[],
  ) {
    for (const { episode_id: id } of interrupted) this.#interruptions.set(id, (this.#interruptions.get(id) ?? 0) + 1);
    for (const { episode_id: id, attempt } of started) this.#started.set(id, attempt);
    this.killed = killed;
  }

  /**
   * @param take receives the counted row of each episode that is done
   * @throws BundleError when a sealed row cannot be read
   */
  static async read(
    ledger: Ledger,
    layout: BundleLayout,
    episodes: readonly PlannedEpisode[],
    take: (row: Row) => void = () => {},
  ): Promise<Progress> {
    const planned = new Set(episodes.map(({ episodeId }) => episodeId));
    const records = ledger.before.flatMap((record) =>
      'episode_id' in record && planned.has(record.episode_id) ? [record] : [],
    );
    const started = records.filter(({ kind }) => kind === 'started');
    const ended = new Set(records.filter(({ kind }) => kind !== 'started').map(nameOf));
    const killed = started.filter((record) => !ended.has(nameOf(record)));
    const interrupted = records.filter((record) => record.kind === 'voided' && record.interruption !== undefined);
    const progress = new Progress(started, killed, interrupted);
    for (const record of records) {
      if (record.kind !== 'sealed') continue;
      const sealed = await readSealedRow(record, layout);
      progress.#ended(sealed);
      if (sealed.row.counts) take(sealed.row);
    }
    return progress;
  }

  #ended(sealed: SealedRow): void {
    const { episode_id: id, counts } = sealed.row;
    if (counts) this.finish(sealed);
    else this.#infraErrors.set(id, (this.#infraErrors.get(id) ?? 0) + 1);
  }

  get done(): number {
    return this.#finished.size;
  }

  isDone({ episodeId }: PlannedEpisode): boolean {
    return this.#finished.has(episodeId);
  }

  earlierOf({ episodeId }: PlannedEpisode): EarlierAttempts {
    return {
      started: this.#started.get(episodeId) ?? 0,
      infraErrors: this.#infraErrors.get(episodeId) ?? 0,
      interruptions: this.#interruptions.get(episodeId) ?? 0,
    };
  }

  finish({ row: { episode_id: id, attempt }, sealHash }: SealedRow): void {
    this.#finished.set(id, { attempt, sealHash });
  }

  /** @throws BundleError when a row cannot be read */
  async *rowsInOrder(layout: BundleLayout, episodes: readonly PlannedEpisode[]): AsyncGenerator<Row, void> {
    for (const { episodeId } of episodes) {
      const finished = this.#finished.get(episodeId);
      if (finished === undefined) continue;
      const { attempt, sealHash } = finished;
      yield (await readSealedRow({ episode_id: episodeId, attempt, seal_hash: sealHash }, layout)).row;
    }
  }

  sealsInOrder(episodes: readonly PlannedEpisode[]): string[] {
    return episodes.flatMap(({ episodeId }) => this.#finished.get(episodeId)?.sealHash ?? []);
  }
}

function nameOf({ episode_id: id, attempt }: { episode_id: string; attempt: number }): string {
  return `${id}/${attempt}`;
}

/** Writes `rows.jsonl`, one row at a time. */
export async function writeRows(layout: BundleLayout, rows: AsyncIterable<Row>): Promise<void> {
  await writeFileAtomically(layout.rows, linesOf(rows));
}

async function* linesOf(rows: AsyncIterable<Row>): AsyncGenerator<string, void> {
  for await (const row of rows) yield `${canonicalJson(row)}\n`;
}

/** Removes the rows and reports of an earlier stop, which a kill would leave in a bundle with more episodes. */
export async function removeDerived(layout: BundleLayout): Promise<void> {
  const reports = (['json', 'md', 'html'] as const).map((format) => layout.report(format));
  for (const file of [layout.rows, ...reports]) await rm(file, { force: true });
}

/** The campaign's money, less the spending of its earlier runs; undefined without a cap. */
export async function budgetOf(
  { maxUsd }: { maxUsd?: number | null },
  layout: BundleLayout,
  { before }: Pick<Ledger, 'before'>,
): Promise<MoneyBudget | undefined> {
  return typeof maxUsd === 'number' ? new MoneyBudget(maxUsd, await spentBefore(layout, before)) : undefined;
}

/** The USD that attempts have cost, voided and killed ones included; one lost in another process cost its allowance. */
export async function spentBefore(layout: BundleLayout, before: readonly LedgerRecord[]): Promise<number> {
  const ends = new Map(before.flatMap((each) => (isEnd(each) ? [[nameOf(each), each] as const] : [])));
  let spent = 0;
  for (const record of before) {
    if (record.kind !== 'started') continue;
    const end = ends.get(nameOf(record));
    const isBack = end?.kind === 'sealed' || end?.interruption !== undefined;
    if (!isBack && record.allowance_usd !== undefined) {
      spent += record.allowance_usd;
      continue;
    }
    for await (const { event } of eventsOf(layout, record, end)) {
      if (event.type === 'turn_ended') spent += event.cost_usd ?? 0;
    }
  }
  return spent;
}

type End = Extract<LedgerRecord, { kind: 'sealed' | 'voided' }>;

function isEnd(record: LedgerRecord): record is End {
  return record.kind === 'sealed' || record.kind === 'voided';
}

/** Yields no events for an attempt that was killed as it began. */
async function* eventsOf(
  layout: BundleLayout,
  attempt: Pick<End, 'episode_id' | 'attempt'>,
  end: End | undefined,
): AsyncGenerator<RecordedEvent> {
  try {
    yield* recordedEvents(layout, attempt);
  } catch (error) {
    if (end?.kind === 'sealed' || !isMissing(error)) throw error;
  }
}
