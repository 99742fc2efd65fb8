import { z } from 'zod';
import { BrowserIdentity, effort, faults, identity, outcome, settings, testimony } from '../bundle/row-fields.ts';
import { Decider, FailureCategory, Mode, WorldKind } from '../bundle/row-words.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { AXES, POLICY } from '../claim/policy.ts';
import { REASONS } from '../claim/reasons.ts';
import type { Report } from './report.ts';

const Count = z.int().min(0);
const Rate = z.number().min(0).max(1);
const Why = z.string().nullable();
const Measured = z.number().nullable();
const Interval = z.strictObject({ low: z.number(), high: z.number() }).nullable();
const entrant = { agent: identity.agent, surface: identity.surface };
const Entrant = z.strictObject(entrant);

const cell = {
  episodes: Count,
  passed: Count,
  statuses: z.record(z.string(), Count),
  median_steps: Measured,
  median_tool_errors: Measured,
  median_wall_ms: Measured,
};
const Figures = z.strictObject({ ...entrant, ...cell, tasks: z.record(z.string(), z.strictObject(cell)) });

const Share = z.strictObject({ count: Count, of: Count, interval: Interval });
const Effort = z.strictObject({ mean: Measured, total: Measured, why_null: Why });
const Quotient = z.strictObject({ value: Measured, why_null: Why });
const OutcomeLine = z.strictObject({
  ...entrant,
  model_id: z.string().nullable(),
  models_returned: z.array(z.string()),
  task: z.string().nullable(),
  passed: Share,
  unknown: Count,
  phantoms: z.strictObject({
    none: Share,
    filtered: Share,
    reached_failed: Share,
    reached_succeeded: Share,
    not_measured: Count,
    why_null: Why,
  }),
  damaged: Share,
  tokens_in: Effort,
  tokens_out: Effort,
  tokens_cached: Effort,
  turns: Effort,
  model_ms: Effort,
  wall_ms: Effort,
  shortcut_calls: Effort,
  cost_usd: Effort,
  cost_per_success: Quotient,
  cost_per_honest_success: Quotient,
});

const Decision = z.strictObject({
  policy_version: z.literal(POLICY.version),
  question: z.strictObject({
    kind: z.enum(['aggregate', 'per_task', 'comparison']),
    axis: z.enum([
      'task_completion',
      'fault_recovery',
      'authentication',
      'sign_in_setup',
      'token_efficiency',
      'speed',
      'time_per_success',
      'developer_experience',
      'episode_cost',
    ]),
    entrants: z.array(Entrant),
  }),
  grade: z.enum(['primary', 'diagnostic', 'scaffold', 'smoke']),
  scope: z.enum(['tasks like these', 'these tasks only']),
  reasons: z.array(z.strictObject({ code: z.enum(REASONS.map(({ code }) => code)), text: z.string() })),
  waivers: z.array(z.strictObject({ task: z.string(), mutant: z.string(), reason: z.string() })),
  /** Perturbed end states in the proofs that it rests on: those that are not right, and those of them that passed. */
  false_passes: z.strictObject({ judged: Count, passed: Count, upper: z.number().nullable() }),
});

const Success = z.strictObject({
  passed: z.strictObject({
    successes: Count,
    trials: Count,
    clusters: Count,
    rate: Rate.nullable(),
    effective_trials: Measured,
    interval: Interval,
  }),
  bounds: Interval,
  unknown: Count,
  not_run: Count,
  least_repetitions: Count,
  reliability: z.array(z.strictObject({ k: Count, pass_at_k: Rate, pass_hat_k: Rate })),
  damaged: Count,
  honest_passes: Count.nullable(),
  testimony: z.strictObject({ declared: Count, over_claims: Count, undeclared: Count, under_claims: Count }),
  cells: z.array(
    z.strictObject({
      suite: identity.suite,
      task: identity.task,
      instance: identity.instance,
      passed: Count,
      unknown: Count,
      episodes: Count,
      interval: Interval,
    }),
  ),
});

const Spent = z.strictObject({
  median: Measured,
  median_interval: Interval,
  p95: Measured,
  p95_interval: Interval,
  per_success: Measured,
  expected_per_success: Measured,
  expected_per_honest_success: Measured,
});

const Claims = z.strictObject({
  policy: z.strictObject({
    version: z.literal(POLICY.version),
    modes: z.array(Mode),
    harness_modes: z.array(Mode),
    least_repetitions: z.strictObject({
      aggregate: z.literal(POLICY.least_repetitions.aggregate),
      per_task: z.literal(POLICY.least_repetitions.per_task),
    }),
    least_templates: z.literal(POLICY.least_templates),
    least_entrants: z.literal(POLICY.least_entrants),
    most_rerun_gap: z.literal(POLICY.most_rerun_gap),
    most_reruns: z.literal(POLICY.most_reruns),
    most_one_sided: z.literal(POLICY.most_one_sided),
    level: z.literal(POLICY.level),
  }),
  axes: z.strictObject({
    task_completion: axis(AXES.task_completion),
    fault_recovery: axis(AXES.fault_recovery),
    authentication: axis(AXES.authentication),
    sign_in_setup: axis(AXES.sign_in_setup),
    token_efficiency: axis(AXES.token_efficiency),
    speed: axis(AXES.speed),
    time_per_success: axis(AXES.time_per_success),
    developer_experience: axis(AXES.developer_experience),
    episode_cost: axis(AXES.episode_cost),
  }),
  smallest_detectable: Rate.nullable(),
  entrants: z.array(
    z.strictObject({
      ...entrant,
      success: Success,
      spending: z.strictObject({ wall_ms: Spent, tokens: Spent, cost_usd: Spent }),
      aggregate: Decision,
      per_task: Decision,
    }),
  ),
  comparisons: z.array(
    z.strictObject({
      first: Entrant,
      second: Entrant,
      templates: Count,
      difference: z.number(),
      p: Rate,
      p_adjusted: Rate,
      exact: z.boolean(),
      smallest_detectable: Rate.nullable(),
      better: z.enum(['first', 'second']).nullable(),
      other_web: z.int().positive().exactOptional(),
      decision: Decision,
    }),
  ),
  other_axes: z.array(Decision),
});

interface AxisOf<L, R, W> {
  letter: L;
  role: R;
  when: W;
}

function axis<L extends string, R extends string, W extends string>({ letter, role, when }: AxisOf<L, R, W>) {
  return z.strictObject({ letter: z.literal(letter), role: z.literal(role), when: z.literal(when) });
}

const Stress = z.strictObject({
  ...entrant,
  kind: z.string().nullable(),
  recovered: Count,
  of: Count,
  interval: Interval,
  not_fired: Count,
  clean_failed: Count,
  not_applicable: Count,
  gave_up: Count,
  damaged: Count,
  extra_steps: Measured,
  extra_ms: Measured,
  obeyed: Count,
  shown_orders: Count,
});

const SignIn = z.strictObject({
  entrants: z.array(z.strictObject({ ...entrant, by: z.enum(['form', 'stored_state']), passed: Share })),
  setups: z.array(
    z.strictObject({ suite: identity.suite, role: z.string(), setup_ms: z.number().min(0), episodes: Count }),
  ),
});

const FailureTally = z.strictObject({
  ...entrant,
  model_id: identity.model_id,
  suite: identity.suite,
  task: identity.task,
  counts: z.array(z.strictObject({ category: FailureCategory.exclude(['none']), episodes: Count })),
});

const EpisodeLine = z.strictObject({
  run_id: identity.run_id,
  episode_id: identity.episode_id,
  suite: identity.suite,
  task: identity.task,
  instance: identity.instance,
  agent: identity.agent,
  surface: identity.surface,
  iteration: identity.iteration,
  faults: faults.faults.exactOptional(),
  recovered: faults.recovered.exactOptional(),
  attempt: identity.attempt,
  status: outcome.status,
  stop: outcome.stop,
  detail: outcome.detail,
  goal_verdict: outcome.goal_verdict,
  guard_verdict: outcome.guard_verdict,
  steps: effort.steps,
  wall_ms: effort.wall_ms,
  tool_errors: effort.tool_errors,
  no_progress_episodes: effort.no_progress_episodes,
  response_bytes: effort.response_bytes,
  model_id: identity.model_id,
  turns: effort.turns,
  tokens_in: effort.tokens_in,
  tokens_out: effort.tokens_out,
  cost_usd: effort.cost_usd,
  price_table: effort.price_table,
  process_isolation: settings.process_isolation,
  self_reported: testimony.self_reported,
  final_url: outcome.final_url,
  last_tool_call: outcome.last_tool_call,
  failed_contract: outcome.failed_contract,
  failure_category: outcome.failure_category,
  unsettled: outcome.unsettled,
  why_not: Why,
  picture: Sha256.exactOptional(),
});

/** `report.json`, as it is published: what the compiler knows as `Report`, for readers that are no compiler. */
export const ReportFile: z.ZodType<Report> = z.strictObject({
  schema_version: z.literal(1),
  campaign_id: identity.campaign_id,
  created_at: z.iso.datetime(),
  suites: z.array(identity.suite),
  seed: z.int(),
  agents: z.array(
    z.strictObject({ agent: identity.agent, decider: Decider.exactOptional(), about: z.string().exactOptional() }),
  ),
  complete: z.boolean(),
  planned: Count,
  outcome_hash: Sha256,
  browser: BrowserIdentity.nullable(),
  bench_version: z.string(),
  bench_commit: z.string().nullable(),
  bench_dirty: z.boolean().nullable(),
  world_kinds: z.array(WorldKind),
  modes: z.array(Mode),
  process_isolations: z.array(z.string()),
  entrants: z.array(Figures),
  tables: z.strictObject({ entrants: z.array(OutcomeLine), tasks: z.array(OutcomeLine) }),
  stress: z.array(Stress).exactOptional(),
  sign_in: SignIn.exactOptional(),
  failures: z.array(FailureTally).exactOptional(),
  claims: Claims,
  headlines: z.array(z.string()),
  episodes: z.array(EpisodeLine),
  shard: z.strictObject({ index: z.int(), of: z.int(), planned: Count }).exactOptional(),
  merged_parts: z.int().exactOptional(),
  workers: z.int().exactOptional(),
  episodes_not_listed: Count.exactOptional(),
});
