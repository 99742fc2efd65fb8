import type { Row } from '../bundle/row.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import { episodesOf, type PlannedEpisode, type PlannedTask } from '../campaign/plan.ts';
import { contractHash, taskHash } from '../task/schema.ts';

/** Finds the planned episode that each row says it is, and knows in the end which have no row. */
export class AgainstPlan {
  readonly #campaignId: string;
  readonly #episodes: readonly PlannedEpisode[];
  readonly #hashFaults: ReadonlyMap<PlannedTask, string | null>;
  readonly #found = new Set<PlannedEpisode>();

  constructor({ campaign_id: campaignId, plan }: CampaignFile) {
    this.#campaignId = campaignId;
    this.#episodes = episodesOf(plan);
    this.#hashFaults = new Map(plan.tasks.map((planned) => [planned, hashFaultOf(planned)]));
  }

  /** @throws Error when the row is of no planned episode, of one that had a row before, or of a task that is not what its hashes say. */
  episodeOf(row: Row): PlannedEpisode {
    const episode = this.#episodes[row.plan_index];
    if (episode === undefined) throw new Error('its episode is not in the plan');
    const said = new Map<string, unknown>(Object.entries(row));
    const planned = Object.entries({ campaign_id: this.#campaignId, ...identityOf(episode) });
    const other = planned.find(([field, value]) => said.get(field) !== value);
    if (other !== undefined) throw new Error(`its ${other[0]} is not that of the plan`);
    if (this.#found.has(episode)) throw new Error('its episode is counted twice');
    this.#found.add(episode);
    const fault = this.#hashFaults.get(episode.planned) ?? null;
    if (fault !== null) throw new Error(fault);
    return episode;
  }

  /** The planned episodes of which {@link episodeOf} was given no row. */
  missing(): PlannedEpisode[] {
    return this.#episodes.filter((episode) => !this.#found.has(episode));
  }
}

/** What a row has to say to be of this episode. */
function identityOf({ episodeId, iteration, planned, agent, surface }: PlannedEpisode): Partial<Row> {
  return {
    suite: planned.suite,
    task: planned.task.id,
    agent,
    surface,
    iteration,
    episode_id: episodeId,
    task_hash: planned.task_hash,
    contract_hash: planned.contract_hash,
  };
}

/** A plan could name the hash of a known task, and hold an easier one. */
function hashFaultOf({ task, task_hash: ofTask, contract_hash: ofContract }: PlannedTask): string | null {
  if (taskHash(task) !== ofTask) return 'the plan has a task that is not what its task_hash says';
  if (contractHash(task) !== ofContract) return 'the plan has a contract that is not what its contract_hash says';
  return null;
}
