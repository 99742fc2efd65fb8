import type { Answer } from '../contract/evidence.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { ToolCall } from '../task/tool.ts';
import type { Status, Stop } from '../contract/status.ts';

/** What an episode came to. Null: not measured, because the episode did not get that far. */
export interface EpisodeResult {
  status: Status;
  stop: Stop;
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: string | null;
  goalVerdict: Verdict | null;
  guardVerdict: Verdict | null;
  /** The assertion that decided against the agent (or the task), and the contract that it stands in. */
  failedContract: { contract: 'success' | 'guards'; leaf: Judgement } | null;
  declaredDone: boolean;
  answer: Answer | null;
  finalUrl: string | null;
  lastToolCall: ToolCall | null;
  unsettled: boolean | null;
  toolListHash: string | null;
  surfaceVersion: string | null;
  effort: {
    steps: number;
    toolErrors: number;
    noProgressEpisodes: number;
    responseBytes: number;
    wallMs: number;
    agentMs: number;
    toolMs: number;
  } | null;
  judgeMs: number | null;
  settleMs: number | null;
  /** Requests for addresses outside the world, by `host:port`. */
  outside: Record<string, number>;
  /** Names of stored evidence. */
  evidence: { start: string | null; end: string | null };
  /** False when the browser is not fit for another episode. */
  browserFit: boolean;
}
