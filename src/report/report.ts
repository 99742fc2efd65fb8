import type { Row } from '../bundle/row.ts';
import { campaignOutcomeHash } from '../bundle/row-hashes.ts';
import type { Claims, DrawnClaims } from '../claim/claims.ts';
import { type Entrant, entrantFigures, type EntrantFigures } from '../claim/figures.ts';
import { type OutcomeTables, outcomeTables } from '../claim/outcome-tables.ts';

import { competitiveSentence } from './competitive-sentence.ts';

/** `report.json`: what a campaign came to, drawn from its rows alone. */
export interface Report {
  schema_version: 1;
  campaign_id: string;
  /** False while planned episodes are missing. */
  complete: boolean;
  planned: number;
  /** What two runs of the same plan are compared by. */
  outcome_hash: string;
  browser: Row['browser'];
  bench_version: string;
  bench_commit: string | null;
  bench_dirty: boolean | null;
  /** Kinds of world that the rows were measured on, for example `facsimile`. */
  world_kinds: string[];
  modes: string[];
  /** How the processes of self-driving agents were kept apart, for example `bubblewrap, network gateway`. */
  process_isolations: string[];
  entrants: EntrantFigures[];
  /** The tables of seed 000. */
  tables: OutcomeTables;
  /** Statistics, and what they may be used for. */
  claims: Claims;
  /** Who did better, for the comparisons that may be made so; see `competitiveSentence`. */
  headlines: string[];
  episodes: EpisodeLine[];
}

/**
 * @param rows counted rows in plan order.
 * @param plannedEntrants in the order in which the report lists them.
 */
export function buildReport(
  campaignId: string,
  planned: number,
  rows: readonly Row[],
  plannedEntrants: readonly Entrant[],
  { claims, eligible }: DrawnClaims,
): Report {
  const [first] = rows;
  return {
    schema_version: 1,
    campaign_id: campaignId,
    complete: rows.length === planned,
    planned,
    outcome_hash: campaignOutcomeHash(rows),
    browser: first?.browser ?? null,
    bench_version: first?.bench_version ?? '',
    bench_commit: first?.bench_commit ?? null,
    bench_dirty: first?.bench_dirty ?? null,
    world_kinds: [...new Set(rows.map((row) => row.world_kind))],
    modes: [...new Set(rows.map((row) => row.mode))],
    process_isolations: [...new Set(rows.flatMap(isolationOf))],
    entrants: entrantFigures(rows, plannedEntrants),
    tables: outcomeTables(rows, plannedEntrants),
    claims,
    headlines: eligible.map(competitiveSentence),
    episodes: rows.map(episodeLine),
  };
}

function isolationOf({ process_isolation: isolation }: Row): string[] {
  if (isolation === null) return [];
  const { by, network } = isolation;
  return [`${by}, network ${network}${by === 'none' ? ' (diagnostic: the agent could read our files)' : ''}`];
}

/** One episode, as the report lists it. */
export type EpisodeLine = ReturnType<typeof episodeLine>;

function episodeLine(row: Row) {
  return {
    run_id: row.run_id,
    episode_id: row.episode_id,
    suite: row.suite,
    task: row.task,
    instance: row.instance,
    agent: row.agent,
    surface: row.surface,
    iteration: row.iteration,
    attempt: row.attempt,
    status: row.status,
    stop: row.stop,
    detail: row.detail,
    goal_verdict: row.goal_verdict,
    guard_verdict: row.guard_verdict,
    steps: row.steps,
    wall_ms: row.wall_ms,
    tool_errors: row.tool_errors,
    no_progress_episodes: row.no_progress_episodes,
    response_bytes: row.response_bytes,
    model_id: row.model_id,
    turns: row.turns,
    tokens_in: row.tokens_in,
    tokens_out: row.tokens_out,
    cost_usd: row.cost_usd,
    price_table: row.price_table,
    process_isolation: row.process_isolation,
    self_reported: row.self_reported,
    final_url: row.final_url,
    last_tool_call: row.last_tool_call,
    failed_contract: row.failed_contract,
    unsettled: row.unsettled,
    /** Why a cell that is not applicable is not. */
    why_not: row.status === 'not_applicable' ? (row.null_reasons['steps'] ?? null) : null,
  };
}
