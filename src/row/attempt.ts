import { type Concurrency, deriveMode } from '../bundle/row-words.ts';
import type { Row } from '../bundle/row.ts';
import type { Status } from '../contract/status.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { pinned, type Pins, standInFor, qualificationHashOf } from '../plan/pins.ts';
import { isPinnedThin } from '../plan/task-qualification.ts';
import { cellCaps } from '../plan/cell-caps.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import { instanceName, taskName } from '../task/instance.ts';
import type { Task } from '../task/schema.ts';
import type { Recorded } from './recorded.ts';

/** Facts about an attempt that its events do not record. */
export interface Attempt {
  campaign: Pick<CampaignFile, 'campaign_id' | 'plan' | 'pins'>;
  episode: PlannedEpisode;
  /** Counts from 1. */
  attempt: number;
  startedAt: Date;
  /** Attempts of the campaign that started before it. */
  executedIndex: number;
  /** Earlier attempts of its episode with an infrastructure error. */
  errorsBefore: number;
  /** Earlier attempts that were interrupted from outside their entrant. */
  interruptionsBefore: number;
  /** Absent if it ran alone. */
  concurrency?: Concurrency | undefined;
}

export function runIdOf({ planned, agent, surface, iteration }: PlannedEpisode, startedAt: Date): string {
  const fault = planned.fault === undefined ? '' : `+${planned.fault.id}`;
  return [
    startedAt.toISOString().replaceAll(/[-:.]/g, ''),
    agent,
    `${taskName(planned.task)}${fault}`,
    surface,
    iteration,
  ].join('__');
}

/** Returns the start time in the name of an attempt; null if it is not such a name. */
export function startedAtIn(runId: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z__/.exec(runId);
  if (parts === null) return null;
  const [, year, month, day, hours, minutes, seconds, ms] = parts;
  const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** The fields of a row known before its episode runs. */
export function knownBefore(attempt: Attempt, { last, atMs }: Recorded, status: Status) {
  const { campaign, episode, startedAt } = attempt;
  const { planned, agent, surface } = episode;
  const { plan, pins } = campaign;
  const name = taskName(planned.task);
  const browser = last.browser_not_ours === undefined ? pins.browser : standInFor(pins.browser);
  const hasBegun = last.stop !== undefined;
  const model = modelOf(pins, agent, last.replayed);
  const decider = pinned(pins.deciders, agent, 'decider');
  const traits = pinned(pins.surfaces, surface, 'traits');
  const facts = {
    world_kind: pinned(pins.world_kinds, `${planned.suite}/${name}`, 'kind of world'),
    decider,
    endpoint_kind: model?.endpoint_kind ?? 'none',
  } as const;
  return {
    schema_version: 2,
    run_id: runIdOf(episode, startedAt),
    episode_id: episode.episodeId,
    attempt: attempt.attempt,
    counts: status !== 'infra_error' || attempt.errorsBefore + 1 >= plan.max_attempts,
    campaign_id: campaign.campaign_id,
    suite: planned.suite,
    ...taskFields(planned.task),
    task_hash: planned.task_hash,
    contract_hash: planned.contract_hash,
    agent,
    surface,
    surface_version: hasBegun ? (last.opened?.surface_version ?? traits.version) : null,
    interaction: traits.interaction,
    iteration: episode.iteration,
    plan_index: episode.planIndex,
    executed_index: hasBegun ? attempt.executedIndex : null,
    mode: deriveMode({ ...facts, status, dry_run: false }),
    ...facts,
    ...versionsIn(pins),
    browser,
    app_hash: pins.app_hashes[planned.suite] ?? null,
    qualification_hash: qualificationHashOf(pins, planned.suite, name),
    ...(isPinnedThin(pins.qualifications[`${planned.suite}/${name}`]) ? { thin_proof: true as const } : {}),
    archive_hash: pins.archive_hashes[planned.suite] ?? null,
    model_id: model?.model_id ?? null,
    model_endpoint: model?.model_endpoint ?? null,
    temperature: model?.temperature ?? null,
    prompt_hash: model?.prompt_hash ?? null,
    started_at: hasBegun ? startedAt.toISOString() : null,
    ended_at: hasBegun ? new Date(startedAt.getTime() + atMs).toISOString() : null,
    ...settingsOf(attempt, model),
    retries: hasBegun ? attempt.attempt - 1 - attempt.interruptionsBefore : null,
    // A browser from outside may have other users.
    isolation: browser.ours ? traits.isolation : 'context',
    ...(hasBegun && attempt.concurrency !== undefined ? { concurrency: attempt.concurrency } : {}),
  } satisfies Partial<Row>;
}

function versionsIn(pins: Pins) {
  return {
    bench_version: pins.bench_version,
    bench_commit: pins.bench_commit,
    bench_dirty: pins.bench_dirty,
    judge_version: pins.judge_version,
    node_version: pins.node,
  };
}

function settingsOf(
  { campaign, episode }: Attempt,
  model: Model | null,
): Pick<Row, 'caps' | 'timeouts' | 'retry_policy'> {
  const { plan, pins } = campaign;
  return {
    caps: cellCaps(campaign, episode),
    timeouts: {
      call_ms: pins.call_timeout_ms,
      settle_ms: plan.settle_ms,
      ...(model === null ? {} : { model_call_ms: model.call_timeout_ms }),
    },
    retry_policy: { max_attempts: plan.max_attempts, max_model_retries: model?.max_retries ?? 0 },
  };
}

type Model = Pins['models'][string];

/** The pins of an agent's model. A cassette replies under the name of the recorded model. */
export function modelOf(
  { models }: Pick<Pins, 'models'>,
  agent: string,
  replayed: Recorded['last']['replayed'],
): Model | null {
  const model = Object.hasOwn(models, agent) ? models[agent] : undefined;
  if (model === undefined) return null;
  if (model.endpoint_kind !== 'cassette' || replayed === undefined) return model;
  return { ...model, model_id: replayed.model_id, model_endpoint: replayed.model_endpoint };
}

function taskFields(task: Task) {
  return {
    task: task.id,
    instance: instanceName(task),
    seed: task.instance?.seed ?? null,
    category: task.category ?? null,
  };
}

/** The longest time between the end of an attempt and its record in the ledger, on a slow disk. */
const ADJACENT_MS = 60_000;
/** The most that a clock may have been set back in between. */
export const CLOCK_SET_MS = 1_000;

/** Whether the ledger recorded an event when it happened, or soon after; in ms since 1970. */
export function isRecordedInTime(happened: number, recorded: number): boolean {
  const later = recorded - happened;
  return later >= -CLOCK_SET_MS && later <= ADJACENT_MS;
}
