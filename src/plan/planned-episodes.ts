import type { Plan, PlannedEpisode } from './plan.ts';
import { episodesIn } from './part-of-plan.ts';
import type { Shard } from './shard.ts';

/** The episodes of a plan, or of a part of it, worked out once: there may be a million. */
export class PlannedEpisodes {
  readonly inOrder: readonly PlannedEpisode[];
  readonly #byId: ReadonlyMap<string, PlannedEpisode>;

  constructor(campaign: { plan: Plan; shard?: Shard | undefined }) {
    this.inOrder = episodesIn(campaign);
    this.#byId = new Map(this.inOrder.map((episode) => [episode.episodeId, episode]));
  }

  byId(id: string): PlannedEpisode | null {
    return this.#byId.get(id) ?? null;
  }
}
