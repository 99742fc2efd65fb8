import type { Row } from '../bundle/row.ts';
import { AGENTS } from '../plan/agents.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { OWN } from '../plan/surface-ids.ts';
import { limitsOf, type Plan, type PlannedEpisode, type PlannedTask } from '../plan/plan.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { faultKindOf } from '../fault/schema.ts';
import { instanceName } from '../task/instance.ts';
import { contractHash, taskHash } from '../task/schema.ts';
import type { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { capsOf } from '../task/caps.ts';

/** Finds the planned episode that each row says it is, and knows in the end which have no row. */
export class AgainstPlan {
  readonly #campaignId: string;
  readonly #plan: Plan;
  readonly #pins: Entrants;
  readonly #episodes: PlannedEpisodes;
  readonly #hashFaults: ReadonlyMap<PlannedTask, string | null>;
  readonly #found = new Set<PlannedEpisode>();
  readonly #unreadable = new Set<string>();
  /** Attempts of each episode that ended in an infrastructure error. */
  readonly #broken = new Map<string, Set<number>>();

  /** @param episodes of the plan, in its order */
  constructor({ campaign_id: campaignId, plan, pins }: CampaignFile, episodes: PlannedEpisodes) {
    this.#pins = pins;
    this.#campaignId = campaignId;
    this.#plan = plan;
    this.#episodes = episodes;
    this.#hashFaults = new Map(plan.tasks.map((planned) => [planned, hashFaultOf(planned)]));
  }

  /** Notes an attempt, whether it counts or not: {@link episodeOf} has to know which were before it. */
  attempted({ episode_id: episodeId, attempt, status }: Row): void {
    if (status !== 'infra_error') return;
    const attempts = this.#broken.get(episodeId) ?? new Set();
    this.#broken.set(episodeId, attempts.add(attempt));
  }

  /** The episode of an attempt that has no readable row; null when the plan has none of this id. */
  unreadable(episodeId: string): PlannedEpisode | null {
    this.#unreadable.add(episodeId);
    return this.#episodes.byId(episodeId);
  }

  /**
   * The planned episode that a row counts for.
   * @throws Error when there is none, when it had a row before or attempts left, or its task is not what its hashes say.
   */
  episodeOf(row: Row): PlannedEpisode {
    const episode = this.#episodes.inOrder[row.plan_index];
    if (episode === undefined) throw new Error('its episode is not in the plan');
    const said = new Map<string, unknown>(Object.entries(row));
    const planned = Object.entries({ campaign_id: this.#campaignId, ...identityOf(episode, this.#plan, this.#pins) });
    const other = planned.find(([field, value]) => canonicalJson(said.get(field)) !== canonicalJson(value));
    if (other !== undefined) throw new Error(`its ${other[0]} is not that of the plan`);
    if (!isFaultOf(row, episode)) throw new Error('its faults is not that of the plan');
    if (!isSignedInAs(row, episode)) throw new Error('its auth is not that of the plan');
    if (this.#found.has(episode)) throw new Error('its episode is counted twice');
    this.#found.add(episode);
    const fault = this.#hashFaults.get(episode.planned) ?? null;
    if (fault !== null) throw new Error(fault);
    this.#refuseAttemptsLeft(row);
    return episode;
  }

  /** An infrastructure error counts only when no attempt is left: else it would hide what the entrant does. */
  #refuseAttemptsLeft({ status, episode_id: episodeId }: Row): void {
    const [had, most] = [this.#broken.get(episodeId)?.size ?? 0, this.#plan.max_attempts];
    if (status !== 'infra_error' || had >= most) return;
    throw new Error(`it counts as infra_error after ${had} of ${most} attempts`);
  }

  /** The planned episodes that have neither a row that counts nor one that could not be read. */
  missing(): PlannedEpisode[] {
    return this.#episodes.inOrder.filter((each) => !this.#found.has(each) && !this.#unreadable.has(each.episodeId));
  }
}

/** What is fixed about the model of each agent that asks one, and the files that agents are. */
type Entrants = Pick<CampaignFile['pins'], 'models' | 'entrant_hashes'>;

/** What a row has to say to be of this episode. */
function identityOf(
  { episodeId, iteration, planned, agent, surface }: PlannedEpisode,
  plan: Plan,
  { models, entrant_hashes: files }: Entrants,
): Partial<Row> {
  const model = Object.hasOwn(models, agent) ? models[agent] : undefined;
  const builtIn = model === undefined ? AGENTS.find(({ id }) => id === agent)?.decider : 'model';
  // Nobody else has a file, or drives the browser itself.
  const known = builtIn ?? (surface === OWN || Object.hasOwn(files, agent) ? 'process' : undefined);
  return {
    // From decider and endpoint follows the mode. An agent of another version of Touchstone may not be known here.
    ...(known === undefined ? {} : { decider: known }),
    caps: capsOf(planned.task, limitsOf(plan), {
      asksModel: model !== undefined,
      hasPrice: model?.price_table !== null,
    }),
    endpoint_kind: model?.endpoint_kind ?? 'none',
    suite: planned.suite,
    task: planned.task.id,
    instance: instanceName(planned.task),
    seed: planned.task.instance?.seed ?? null,
    category: planned.task.category ?? null,
    agent,
    surface,
    iteration,
    episode_id: episodeId,
    task_hash: planned.task_hash,
    contract_hash: planned.contract_hash,
  };
}

/** The fault of the plan, and of an injected order that was read what came of it. */
function isFaultOf({ faults }: Row, { planned: { fault } }: PlannedEpisode): boolean {
  const said = faults.map(({ id, kind }) => ({ id, kind }));
  const planned = fault === undefined ? [] : [{ id: fault.id, kind: fault.kind }];
  const isToldOf = faults.every(
    ({ kind, fired, injection }) => (injection !== undefined) === (faultKindOf({ kind }).givesOrder === true && fired),
  );
  return isToldOf && canonicalJson(said) === canonicalJson(planned);
}

/** Where nobody has begun, nobody was signed in. */
function isSignedInAs({ auth, goal_verdict: verdict }: Row, { planned }: PlannedEpisode): boolean {
  const wanted = planned.task.auth;
  if (auth === undefined) return wanted === undefined || verdict === null;
  const { setup_ms: _cost, ...said } = { setup_ms: null, ...auth };
  return canonicalJson(said) === canonicalJson(wanted ?? null);
}

/** A plan could name the hash of a known task, and hold an easier one. */
function hashFaultOf({ task, task_hash: ofTask, contract_hash: ofContract }: PlannedTask): string | null {
  if (taskHash(task) !== ofTask) return 'the plan has a task that is not what its task_hash says';
  if (contractHash(task) !== ofContract) return 'the plan has a contract that is not what its contract_hash says';
  return null;
}
