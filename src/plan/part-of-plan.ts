import { episodeCount, episodesOf, type Plan, type PlannedEpisode } from './plan.ts';
import type { Shard } from './shard.ts';

/** A plan, and a part of it; all of it without a shard. */
export interface PartOfPlan {
  plan: Plan;
  shard?: Shard | undefined;
}

/**
 * All entrants at one repetition of a task stay together, so that those compared ran on the same machine. Such groups go to the
 * parts in turn.
 */
export function isOfShard({ planIndex }: Pick<PlannedEpisode, 'planIndex'>, { plan, shard }: PartOfPlan): boolean {
  if (shard === undefined) return true;
  return Math.floor(planIndex / plan.entrants.length) % shard.of === shard.index - 1;
}

export function episodesIn(part: PartOfPlan): PlannedEpisode[] {
  const all = episodesOf(part.plan);
  return part.shard === undefined ? all : all.filter((episode) => isOfShard(episode, part));
}

export function placeIn(planIndex: number, { plan, shard }: PartOfPlan): number {
  if (shard === undefined) return planIndex;
  const each = plan.entrants.length;
  return Math.floor(Math.floor(planIndex / each) / shard.of) * each + (planIndex % each);
}

export function episodeCountIn({ plan, shard }: PartOfPlan): number {
  if (shard === undefined) return episodeCount(plan);
  return (Math.floor((groupCount(plan) - shard.index) / shard.of) + 1) * plan.entrants.length;
}

/** The number of groups that stay together: all entrants at one repetition of a task. */
export function groupCount({ tasks, iterations }: Plan): number {
  return tasks.length * iterations;
}

/** The episodes of a plan or a part, computed once: there may be a million. */
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
