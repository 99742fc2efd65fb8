import { type Caps, capsOf, type Limits, type Spender } from '../task/caps.ts';
import type { Task } from '../task/schema.ts';
import type { CampaignFile } from './campaign-file.ts';
import { pinned } from './pins.ts';
import type { Plan, PlannedEpisode } from './plan.ts';

/** The caps of an episode, for its run and its row. */
export function cellCaps(
  { plan, pins }: Pick<CampaignFile, 'plan' | 'pins'>,
  { planned, agent }: Pick<PlannedEpisode, 'planned' | 'agent'>,
): Caps {
  const model = Object.hasOwn(pins.models, agent) ? pins.models[agent] : undefined;
  const asksModel = pinned(pins.deciders, agent, 'decider') === 'model';
  return plannedCaps(plan, planned.task, { asksModel, hasPrice: model?.price_table !== null });
}

export function plannedCaps(plan: Plan, task: Task, spender: Spender): Caps {
  const limits: Limits = {
    steps: plan.max_steps,
    turns: plan.max_turns,
    tokens: plan.max_tokens,
    cost_usd: plan.max_episode_usd,
    wall_ms: plan.max_wall_ms,
  };
  return capsOf(task, limits, spender);
}
