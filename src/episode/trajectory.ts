import type { ProcessIsolation } from '../process/sandbox/launch.ts';
import type { Answer } from '../contract/evidence.ts';
import type { Stop } from '../contract/status.ts';
import type { ToolCall } from '../task/tool.ts';
import type { StepTrace } from './no-progress.ts';
import type { LedgerEntry } from './target-ledger.ts';

/** How an entrant came to its end. */
export interface Ending {
  stop: Stop;
  /** In words; null when there is nothing to add. */
  detail: string | null;
  answer: Answer | null;
}

/** What an entrant did. */
export interface Trajectory extends Ending {
  steps: StepTrace[];
  /** What each of them aimed at. */
  targets: LedgerEntry[];
  lastCall: ToolCall | null;
  toolErrors: number;
  responseBytes: number;
  /** Tokens of the replies as the agent got them; null where they are not counted. */
  responseTokens: number | null;
  /** Time in tool calls, and time in which the agent made up its mind. */
  toolMs: number;
  agentMs: number;
  wallMs: number;
  /** What a self-driving agent says that it did and spent, while we saw none of its steps; null for every other. */
  reported: SelfReport | null;
  /** How such an agent, or a tool server, was kept apart; null where there was none, and when it never began. */
  isolation: ProcessIsolation | null;
  /** What an agent of ours spent on its model, as the provider counted; null for every other. */
  model: ModelSpent | null;
}

/** What the model calls of an episode came to. */
export interface ModelSpent {
  /** Calls, whether they were answered or not. */
  turns: number;
  /** Calls that were made again because the provider had failed. */
  retries: number;
  /** Time in the calls that were answered, in ms. */
  modelMs: number;
  /** Of the replies that came. */
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  /** Null once a reply came whose price is not known. */
  costUsd: number | null;
  /** As the last reply names its model. */
  modelId: string | null;
}

/** The word of a self-driving agent. Null: it said nothing of the kind. */
export interface SelfReport {
  steps: number;
  toolErrors: number;
  modelCalls: number;
  tokensIn: number | null;
  tokensOut: number | null;
  tokensCached: number | null;
  costUsd: number | null;
  model: string | null;
}

/** What has been spent so far. */
export type Spent = Omit<Trajectory, keyof Ending | 'wallMs'>;

/** A trajectory on which nothing was done. */
export function noTrajectory(stop: Stop, detail: string): Trajectory {
  return { ...nothingSpent(null), ...ending(stop, detail), wallMs: 0 };
}

export function nothingSpent(responseTokens: number | null): Spent {
  return {
    steps: [],
    targets: [],
    lastCall: null,
    toolErrors: 0,
    responseBytes: 0,
    responseTokens,
    toolMs: 0,
    agentMs: 0,
    reported: null,
    isolation: null,
    model: null,
  };
}

export function ending(stop: Stop, detail: string): Ending {
  return { stop, detail, answer: null };
}
