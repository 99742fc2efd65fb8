import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { rowsSealedIn, type SealedRow } from '../bundle/sealed-rows.ts';
import type { PlannedEpisode } from '../plan/plan.ts';

/** Which episodes of a plan are done; read from the ledger, so that a killed campaign knows what is left. */
export class Progress {
  readonly #finished = new Map<string, SealedRow>();
  readonly #started = new Map<string, number>();
  readonly #infraErrors = new Map<string, number>();
  /** Attempts that were started and never came to an end. */
  readonly killed: readonly { episode_id: string; attempt: number }[];

  private constructor(
    started: readonly { episode_id: string; attempt: number }[],
    killed: readonly { episode_id: string; attempt: number }[],
    sealed: readonly SealedRow[],
  ) {
    for (const { episode_id: id, attempt } of started) this.#started.set(id, attempt);
    this.killed = killed;
    for (const each of sealed) {
      const { episode_id: id, counts } = each.row;
      if (counts) this.finish(each);
      else this.#infraErrors.set(id, (this.#infraErrors.get(id) ?? 0) + 1);
    }
  }

  /** @throws BundleError when a sealed row cannot be read. */
  static async read(ledger: Ledger, layout: BundleLayout, episodes: readonly PlannedEpisode[]): Promise<Progress> {
    const planned = new Set(episodes.map(({ episodeId }) => episodeId));
    const records = ledger.before.flatMap((record) =>
      record.kind !== 'planned' && planned.has(record.episode_id) ? [record] : [],
    );
    const started = records.filter(({ kind }) => kind === 'started');
    const ended = new Set(records.filter(({ kind }) => kind !== 'started').map(nameOf));
    const killed = started.filter((record) => !ended.has(nameOf(record)));
    return new Progress(started, killed, await rowsSealedIn(records, layout));
  }

  get done(): number {
    return this.#finished.size;
  }

  isDone({ episodeId }: PlannedEpisode): boolean {
    return this.#finished.has(episodeId);
  }

  /** How many attempts of an episode have been started, killed ones included: the next has the number after it. */
  attemptsOf({ episodeId }: PlannedEpisode): number {
    return this.#started.get(episodeId) ?? 0;
  }

  /**
   * How many attempts of an episode came to their end and do not count, which only an infrastructure error brings about.
   * The cap on attempts counts these: a run that was killed is nobody's infrastructure error.
   */
  infraErrorsOf({ episodeId }: PlannedEpisode): number {
    return this.#infraErrors.get(episodeId) ?? 0;
  }

  finish(sealed: SealedRow): void {
    this.#finished.set(sealed.row.episode_id, sealed);
  }

  rowsInOrder(episodes: readonly PlannedEpisode[]): Row[] {
    return episodes.flatMap(({ episodeId }) => this.#finished.get(episodeId)?.row ?? []);
  }

  sealsInOrder(episodes: readonly PlannedEpisode[]): string[] {
    return episodes.flatMap(({ episodeId }) => this.#finished.get(episodeId)?.sealHash ?? []);
  }
}

function nameOf({ episode_id: id, attempt }: { episode_id: string; attempt: number }): string {
  return `${id}/${attempt}`;
}
