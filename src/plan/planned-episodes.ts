import { episodesOf, type Plan, type PlannedEpisode } from './plan.ts';

/** The episodes of a plan, worked out once: there may be a million. */
export class PlannedEpisodes {
  readonly inOrder: readonly PlannedEpisode[];
  /** By id. */
  readonly places: ReadonlyMap<string, number>;

  constructor(plan: Plan) {
    this.inOrder = episodesOf(plan);
    this.places = new Map(this.inOrder.map(({ episodeId, planIndex }) => [episodeId, planIndex]));
  }

  byId(id: string): PlannedEpisode | null {
    const place = this.places.get(id);
    return place === undefined ? null : (this.inOrder[place] ?? null);
  }
}
