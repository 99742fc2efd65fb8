import { FactError } from '../messages/fact-error.ts';
import { fact } from '../messages/messages.ts';
import type { Row } from '../bundle/row.ts';
import type { Plan, PlannedEpisode, PlannedTask } from '../plan/plan.ts';
import type { PlannedEpisodes } from '../plan/part-of-plan.ts';
import { contractHash, taskHash } from '../task/schema.ts';
import { faultKindOf } from '../fault/schema.ts';
import { AGENTS } from '../agent/built-in.ts';
import { hasAppTools, impossiblePair, injectableOf, missingUpload, plannedFault } from '../plan/possible-pair.ts';
import { pinned, type Pins } from '../plan/pins.ts';

/** Why an episode cannot be judged again. */
export class NotJudged extends FactError {}

/** Matches counted rows with planned episodes. */
export class AgainstPlan {
  readonly #episodes: PlannedEpisodes;
  readonly #hashFaults: ReadonlyMap<PlannedTask, HashFault | null>;
  readonly #found = new Set<string>();

  constructor(plan: Plan, episodes: PlannedEpisodes) {
    this.#episodes = episodes;
    this.#hashFaults = new Map(plan.tasks.map((planned) => [planned, hashFaultOf(planned)]));
  }

  /** Returns the episode of an attempt without a readable row; null if the plan does not have it. */
  unreadable(episodeId: string): PlannedEpisode | null {
    this.#found.add(episodeId);
    return this.#episodes.byId(episodeId);
  }

  /**
   * Returns the episode of a counted row.
   * @throws NotJudged when the plan does not have it, a row before had it, or its task does not match its hashes
   */
  episodeOf({ episode_id: id }: Row): PlannedEpisode {
    const episode = this.#episodes.byId(id);
    if (episode === null) throw new NotJudged(fact('row_unplanned'));
    if (this.#found.has(id)) throw new NotJudged(fact('row_counted_twice'));
    this.#found.add(id);
    const fault = this.#hashFaults.get(episode.planned) ?? null;
    if (fault !== null) throw new NotJudged(fact(fault));
    return episode;
  }

  /** Returns the planned episodes without a row, readable or not. */
  missing(): PlannedEpisode[] {
    return this.#episodes.inOrder.filter(({ episodeId }) => !this.#found.has(episodeId));
  }
}

type HashFault = 'task_hash_differs' | 'contract_hash_differs';

/** A plan could name the hash of a known task, and hold an easier one. */
function hashFaultOf({ task, task_hash: ofTask, contract_hash: ofContract }: PlannedTask): HashFault | null {
  if (taskHash(task) !== ofTask) return 'task_hash_differs';
  if (contractHash(task) !== ofContract) return 'contract_hash_differs';
  return null;
}

/**
 * Checks a row whose cell could not run. Whether agents without a model can run a task follows from the task and the pinned traits
 * of the surface, by the same code as in a run.
 * @throws NotJudged when the cell can run
 */
export async function refuseIfItCanRun(
  { status, agent: id, surface, iteration }: Row,
  { planned }: PlannedEpisode,
  { browser, surfaces }: Pins,
): Promise<void> {
  const choice = AGENTS.find((each) => each.id === id);
  if (status !== 'not_applicable' || choice === undefined) return;
  const traits = pinned(surfaces, surface, 'traits');
  if (!traits.in_process && !browser.ours) return;
  const { suite, task, fault } = planned;
  if (fault !== undefined) {
    if (faultKindOf(fault).whyNot(injectableOf(traits)) !== null) return;
    // Whether anything can be drawn depends on the task and not on the seed.
    if (plannedFault({ planned, iteration }, { seed: 0 }) === null) return;
  }
  if (choice.decider !== 'control' && choice.decider !== 'reference') return;
  // Whether an app has tools is in its suite, which no bundle holds.
  if (impossiblePair(choice, surface, traits) !== null || hasAppTools(traits)) return;
  if (missingUpload(surface, traits, task) !== null) return;
  const cell = await choice.forCell({
    suite,
    task,
    fault: null,
    surface,
    interaction: traits.interaction,
    solutionFor: 'page',
    lacksSteps: traits.lacks_steps,
    iteration,
    suiteFolder: '',
    hidden: { contracts: [], around: [] },
    redact: (text) => text,
  });
  if ('agent' in cell) throw new NotJudged(fact('cell_can_run', { agent: id }));
}
