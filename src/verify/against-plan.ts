import type { Row } from '../bundle/row.ts';
import type { Plan, PlannedEpisode, PlannedTask } from '../plan/plan.ts';
import type { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { contractHash, taskHash } from '../task/schema.ts';

/** Knows which planned episodes have a row that counts, and in the end which have none. */
export class AgainstPlan {
  readonly #episodes: PlannedEpisodes;
  readonly #hashFaults: ReadonlyMap<PlannedTask, string | null>;
  readonly #found = new Set<string>();

  constructor(plan: Plan, episodes: PlannedEpisodes) {
    this.#episodes = episodes;
    this.#hashFaults = new Map(plan.tasks.map((planned) => [planned, hashFaultOf(planned)]));
  }

  /** Returns the episode of an attempt that has no readable row; null when the plan has none of this id. */
  unreadable(episodeId: string): PlannedEpisode | null {
    this.#found.add(episodeId);
    return this.#episodes.byId(episodeId);
  }

  /**
   * Returns the planned episode that a row counts for.
   * @throws Error when there is none, when it had a row before, or its task is not what its hashes say.
   */
  episodeOf({ episode_id: id }: Row): PlannedEpisode {
    const episode = this.#episodes.byId(id);
    if (episode === null) throw new Error('its episode is not in the plan');
    if (this.#found.has(id)) throw new Error('its episode is counted twice');
    this.#found.add(id);
    const fault = this.#hashFaults.get(episode.planned) ?? null;
    if (fault !== null) throw new Error(fault);
    return episode;
  }

  /** Returns the planned episodes that have neither a row that counts nor one that could not be read. */
  missing(): PlannedEpisode[] {
    return this.#episodes.inOrder.filter(({ episodeId }) => !this.#found.has(episodeId));
  }
}

/** A plan could name the hash of a known task, and hold an easier one. */
function hashFaultOf({ task, task_hash: ofTask, contract_hash: ofContract }: PlannedTask): string | null {
  if (taskHash(task) !== ofTask) return 'the plan has a task that is not what its task_hash says';
  if (contractHash(task) !== ofContract) return 'the plan has a contract that is not what its contract_hash says';
  return null;
}
