import { readFile } from 'node:fs/promises';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import { Row } from '../bundle/row.ts';
import type { PlannedEpisode } from './plan.ts';

/** A sealed attempt. */
export interface Finished {
  row: Row;
  sealHash: string;
}

/** Which episodes of a plan are done; read from the ledger, so that a killed campaign knows what is left. */
export class Progress {
  readonly #finished = new Map<string, Finished>();
  readonly #attempts = new Map<string, number>();
  /** Attempts that were started and never came to an end. */
  readonly killed: { episode_id: string; attempt: number }[] = [];

  static async read(ledger: Ledger, layout: BundleLayout, episodes: readonly PlannedEpisode[]): Promise<Progress> {
    const progress = new Progress();
    const planned = new Set(episodes.map(({ episodeId }) => episodeId));
    const open = new Map<string, number>();
    for (const record of ledger.before) {
      if (record.kind === 'planned' || !planned.has(record.episode_id)) continue;
      const { episode_id: id, attempt } = record;
      progress.#attempts.set(id, attempt);
      if (record.kind === 'started') open.set(id, attempt);
      else open.delete(id);
      if (record.kind !== 'sealed') continue;
      const row = Row.parse(JSON.parse(await readFile(layout.attempt(id, attempt).row, 'utf8')));
      if (row.counts) progress.finish({ row, sealHash: record.seal_hash });
    }
    for (const [id, attempt] of open) progress.killed.push({ episode_id: id, attempt });
    return progress;
  }

  get done(): number {
    return this.#finished.size;
  }

  isDone({ episodeId }: PlannedEpisode): boolean {
    return this.#finished.has(episodeId);
  }

  /** How many attempts of an episode have been started. */
  attemptsOf({ episodeId }: PlannedEpisode): number {
    return this.#attempts.get(episodeId) ?? 0;
  }

  finish(finished: Finished): void {
    this.#finished.set(finished.row.episode_id, finished);
  }

  rowsInOrder(episodes: readonly PlannedEpisode[]): Row[] {
    return episodes.flatMap(({ episodeId }) => this.#finished.get(episodeId)?.row ?? []);
  }

  sealsInOrder(episodes: readonly PlannedEpisode[]): string[] {
    return episodes.flatMap(({ episodeId }) => this.#finished.get(episodeId)?.sealHash ?? []);
  }
}
