import type { Row } from '../bundle/row.ts';

/** One episode, as the report lists it. */
export type EpisodeLine = ReturnType<typeof episodeLine>;

export function episodeLine(row: Row) {
  const picture = row.status === 'passed' ? undefined : row.artifacts['screenshot_end'];
  return {
    run_id: row.run_id,
    episode_id: row.episode_id,
    suite: row.suite,
    task: row.task,
    instance: row.instance,
    agent: row.agent,
    surface: row.surface,
    iteration: row.iteration,
    ...(row.faults.length === 0 ? {} : { faults: row.faults, recovered: row.recovered }),
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
    failure_category: row.failure_category,
    unsettled: row.unsettled,
    /** Why a cell that is not applicable is not. */
    why_not: row.status === 'not_applicable' ? (row.null_reasons['steps'] ?? null) : null,
    /** The blob of its last picture; of passes, none is named. */
    ...(picture === undefined ? {} : { picture }),
  };
}
