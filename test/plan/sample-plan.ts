import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { type Plan, planHash, type PlannedEpisode, type PlannedTask } from '../../src/plan/plan.ts';
import { contractHash, taskHash, Task } from '../../src/task/schema.ts';
import { episodeIdOf } from '../bundle/bundle-of-rows.ts';
import { SAMPLE } from '../task/sample-task.ts';

const task = Task.parse(SAMPLE);
const planned: PlannedTask = {
  suite: 'basics',
  task,
  task_hash: taskHash(task),
  contract_hash: contractHash(task),
  screenshot_classes: {},
};

export const SMALL_PLAN: Plan = {
  schema_version: 1,
  tasks: [planned],
  entrants: [{ agent: 'reference', surface: 'aria' }],
  iterations: 1,
  seed: 1,
  max_steps: null,
  isolation: 'context',
  browser_kind: 'full',
  live: false,
  settle_ms: 300,
  max_attempts: 3,
};

/** A surface of ours, as it is pinned. */
export const ARIA = {
  version: '1',
  interaction: 'multi-turn',
  in_process: true,
  tools_of: 'page_user',
  takes_script: false,
  binds_steps: true,
  lacks_steps: [],
  shortcuts: [],
  isolation: 'context',
} satisfies CampaignFile['pins']['surfaces'][string];

export const SMALL_CAMPAIGN: CampaignFile = {
  schema_version: 2,
  campaign_id: '20260101T120000Z-12345678',
  created_at: '2026-01-01T12:00:00.000Z',
  plan_hash: planHash(SMALL_PLAN),
  plan: SMALL_PLAN,
  pins: {
    bench_version: '0.1.0',
    bench_commit: null,
    bench_dirty: null,
    judge_version: '0.1.0+123456789abc',
    node: 'v20.19.0',
    platform: 'linux x64 6.1',
    cpu: '2 × unknown',
    browser: { name: 'Chrome', version: '156.0', build: 'r1', kind: 'full', ours: true, sandbox: true },
    semantics: {},
    surfaces: { aria: ARIA },
    deciders: { null: 'control' },
    call_timeout_ms: 30_000,
    models: {},
    entrant_hashes: {},
    app_hashes: {},
    world_kinds: {},
    archive_hashes: {},
    transcript_hashes: {},
    qualifications: {},
  },
  suites: ['basics'],
  entrant_files: { agents: [], surfaces: [] },
};

/** The episode whose rows `rowOf` of `bundle-of-rows.ts` makes. */
export function plannedEpisode(planIndex: number): PlannedEpisode {
  return {
    episodeId: episodeIdOf(planIndex),
    planIndex,
    iteration: planIndex,
    planned,
    agent: 'null',
    surface: 'aria',
  };
}
