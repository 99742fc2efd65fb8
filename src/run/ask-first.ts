import type { Answered } from '../agent/model/preflight.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { MoneyBudget } from '../episode/budget.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { CellAgents } from './cell-agents.ts';
import type { CampaignListener } from './listener.ts';
import type { Pause } from './provider-watch.ts';

/** Everything that the question before the first episode needs. */
export interface ToAsk {
  entrants: Entrants;
  agents: CellAgents;
  redactor: Redactor;
  /** Absent: the campaign has no cap in USD. */
  budget?: Pick<MoneyBudget, 'empty' | 'take'> | undefined;
  listener: CampaignListener;
  signal: AbortSignal;
}

/** A model's answer, and the name by which it takes part. */
export type AskedFirst = Answered & { agent: string };

/**
 * Asks each model that still has episodes one cheap question, before the first of them. What it costs is of the campaign's money and
 * of no row. What replays is not asked, nor is anybody once the money is spent.
 * @returns the pause that the first one calls for that cannot be asked; null where all can
 */
export async function askFirst(left: readonly PlannedEpisode[], toAsk: ToAsk): Promise<Pause | null> {
  const { entrants, agents, redactor, budget, listener, signal } = toAsk;
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

/** Null where there is nobody to ask, or the campaign was stopped meanwhile. */
async function untilStopped<T>(asking: Promise<T | null> | undefined, signal: AbortSignal): Promise<T | null> {
  try {
    return (await asking) ?? null;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
