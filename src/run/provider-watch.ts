import type { InterruptedBy } from '../contract/status.ts';
import type { PreflightReply } from '../agent/model/preflight.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { Running } from './campaign.ts';

/** Why a campaign stops early without the user's request. A resume runs the rest. */
export interface Pause {
  cause: InterruptedBy;
  why: string;
}

/** Failures of providers in a row, over all cells, after which a campaign pauses. */
const FAILURES_TO_PAUSE = 3;

/** Pauses a campaign when the provider of a model fails, rather than spend the rest on failing calls. */
export class ProviderWatch {
  #inARow = 0;
  #pause: Pause | null = null;
  readonly #paused = new AbortController();

  get pause(): Pause | null {
    return this.#pause;
  }

  get signal(): AbortSignal {
    return this.#paused.signal;
  }

  answered(): void {
    this.#inARow = 0;
  }

  /** Returns the pause that a failure calls for; null: the attempt is repeated. Only outages are. */
  failed(failure: Pause): Pause | null {
    this.#inARow += 1;
    this.#pause ??= this.#calledForBy(failure);
    if (this.#pause !== null) this.#paused.abort();
    return this.#pause;
  }

  #calledForBy(failure: Pause): Pause | null {
    if (failure.cause !== 'outage') return failure;
    if (this.#inARow < FAILURES_TO_PAUSE) return null;
    return { ...failure, why: `${this.#inARow} failures of a provider in a row, the last: ${failure.why}` };
  }
}

export type AskedFirst = PreflightReply & { agent: string };

/**
 * Asks each model that has episodes left one cheap question, which the campaign pays for. Models that replay are not asked, nor is
 * any once the money is spent.
 * @returns a pause if a model cannot be asked
 */
export async function askFirst(
  left: readonly PlannedEpisode[],
  { stage, budget, listener, signal }: Running,
): Promise<Pause | null> {
  const { agents, secrets } = stage;
  const { entrants } = stage.campaign;
  const { redactor } = secrets;
  if (typeof budget?.empty === 'string') return null;
  const able = left.filter((episode) => 'agent' in agents.of(episode));
  for (const agent of new Set(able.map((episode) => episode.agent))) {
    if (signal.aborted) return null;
    const withTools = able.some(
      (each) => each.agent === agent && entrants.surface(each.surface).interaction === 'multi-turn',
    );
    const answer = await untilStopped(entrants.agent(agent).ask?.(withTools, signal), signal);
    if (answer === null) continue;
    if ('cause' in answer) return { cause: answer.cause, why: redactor.text(answer.why) };
    budget?.take(answer.usd ?? 0);
    listener.askedFirst?.({
      agent,
      ...answer,
      modelId: answer.modelId === null ? null : redactor.text(answer.modelId),
    });
  }
  return null;
}

/** Null if the agent asks no model, or the campaign was stopped meanwhile. */
async function untilStopped<T>(asking: Promise<T | null> | undefined, signal: AbortSignal): Promise<T | null> {
  try {
    return (await asking) ?? null;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
