import { episodeCount, episodesOf, type Plan, type PlannedEpisode } from './plan.ts';
import type { Shard } from './shard.ts';

/** A plan, and which part of it; all of it where no part is named. */
export interface PartOfPlan {
  plan: Plan;
  shard?: Shard | undefined;
}

/**
 * Returns whether an episode is of a part. What all entrants do at one repetition of a task stays together, so that who is compared
 * ran on the same machine. Such groups go to the parts in turn.
 */
export function isOfShard({ planIndex }: Pick<PlannedEpisode, 'planIndex'>, { plan, shard }: PartOfPlan): boolean {
  if (shard === undefined) return true;
  return Math.floor(planIndex / plan.entrants.length) % shard.of === shard.index - 1;
}

/** Returns the episodes of a plan, or of a part of it, in plan order. */
export function episodesIn(part: PartOfPlan): PlannedEpisode[] {
  const all = episodesOf(part.plan);
  return part.shard === undefined ? all : all.filter((episode) => isOfShard(episode, part));
}

/** Returns the place of an episode of a part among those of the part, counting from 0. */
export function placeIn(planIndex: number, { plan, shard }: PartOfPlan): number {
  if (shard === undefined) return planIndex;
  const each = plan.entrants.length;
  return Math.floor(Math.floor(planIndex / each) / shard.of) * each + (planIndex % each);
}

/** Returns how many episodes a plan, or a part of it, has. */
export function episodeCountIn({ plan, shard }: PartOfPlan): number {
  if (shard === undefined) return episodeCount(plan);
  return (Math.floor((groupCount(plan) - shard.index) / shard.of) + 1) * plan.entrants.length;
}

/** Counts what a plan can be split into: what all entrants do at one repetition of a task stays together. */
export function groupCount({ tasks, iterations }: Plan): number {
  return tasks.length * iterations;
}

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
