import { afterEach, describe, expect, test, vi } from 'vitest';
import { finishRow, type Row, type RowDraft } from '../../src/bundle/row.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { type Pins, readPins } from '../../src/plan/pins.ts';
import { episodesOf, limitsOf, type PlannedEpisode, planHash } from '../../src/plan/plan.ts';
import { qualificationHashOf, qualificationPins } from '../../src/plan/qualification.ts';
import { capsOf } from '../../src/task/caps.ts';
import { closeSuiteWorld, loadSuiteWorld } from '../../src/run/suite-world.ts';
import { claimFacts } from '../../src/verify/claim-facts.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import { PlanningOptions } from '../../src/cli/options.ts';
import { newPlan, type Planned } from '../../src/cli/planning.ts';
import { instanceName, taskName } from '../../src/task/instance.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const SILENT = { out: () => undefined, note: () => undefined };
/** What `npm run bench:claim` runs, and `npm run bench:claim:mock` against a fake. */
const CAMPAIGN = 'campaigns/first-claim.yaml';
const FAKE = 'http://127.0.0.1:9';
const VENDOR = '';
const BROWSER = { name: 'chromium', version: '156.0', build: null, kind: 'full', ours: true, sandbox: true } as const;

afterEach(() => {
  vi.unstubAllEnvs();
});

async function planned(endpoint: string): Promise<Planned> {
  vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-a-test');
  vi.stubEnv('ANTHROPIC_BASE_URL', endpoint);
  const options = PlanningOptions.parse({ campaign: CAMPAIGN });
  return await newPlan({ args: [], options, given: ['campaign'] }, SILENT);
}

/** The pins of a run from a clean commit. */
async function pinsOf({ plan, suites, entrants }: Planned): Promise<Pins> {
  const proofs = await Promise.all(
    suites.map(async (suite) => {
      const world = await loadSuiteWorld(suite);
      closeSuiteWorld(world);
      return await qualificationPins(suite, world.appHash);
    }),
  );
  const models = plan.entrants.flatMap(({ agent }) => {
    const { model } = entrants.agent(agent);
    return model === undefined || model === null ? [] : [[agent, model] as const];
  });
  const pins = await readPins({
    browser: BROWSER,
    surfaces: {},
    deciders: {},
    world_kinds: {},
    models: Object.fromEntries(models),
    entrant_hashes: {},
    app_hashes: {},
    archive_hashes: {},
    transcript_hashes: {},
    qualifications: Object.assign({}, ...proofs),
  });
  return { ...pins, bench_commit: 'abc123', bench_dirty: false };
}

/** A row of each episode, as a run that nothing disturbs leaves them. */
function rowsOf({ plan }: Planned, pins: Pins): Row[] {
  return episodesOf(plan).map((episode) => {
    const model = pins.models[episode.agent];
    if (model === undefined) throw new Error(`${episode.agent} is no model`);
    const isMock = model.endpoint_kind === 'mock';
    return finishRow({
      ...SAMPLE,
      ...identityOf(episode),
      model_id: model.model_id,
      temperature: model.temperature,
      prompt_hash: model.prompt_hash,
      endpoint_kind: model.endpoint_kind,
      mode: isMock ? 'mock' : 'live',
      caps: capsOf(episode.planned.task, limitsOf(plan), {
        asksModel: true,
        hasPrice: model.price_table !== null,
      }),
      qualification_hash: qualificationHashOf(pins, episode.planned.suite, taskName(episode.planned.task)),
    });
  });
}

function identityOf({ agent, surface, iteration, planIndex, planned: { suite, task, ...hashes } }: PlannedEpisode) {
  const identity: Partial<RowDraft> = {
    agent,
    surface,
    iteration,
    plan_index: planIndex,
    suite,
    task: task.id,
    instance: instanceName(task),
    task_hash: hashes.task_hash,
    contract_hash: hashes.contract_hash,
  };
  return identity;
}

/** All reasons against any claim of the campaign. */
async function against(endpoint: string, edit: (rows: Row[]) => Row[] = (rows) => rows): Promise<string[]> {
  const campaign = await planned(endpoint);
  const pins = await pinsOf(campaign);
  const file: CampaignFile = {
    schema_version: 2,
    campaign_id: 'first-claim',
    created_at: '2026-01-01T12:00:00.000Z',
    plan_hash: planHash(campaign.plan),
    plan: campaign.plan,
    pins,
    suites: ['basics'],
    entrant_files: { agents: [], surfaces: [] },
  };
  const { claims } = drawClaims(claimFacts(file, edit(rowsOf(campaign, pins)), true), campaign.plan.seed);
  expect(claims.comparisons).toHaveLength(1);
  const decisions = [
    ...claims.entrants.map(({ aggregate }) => aggregate),
    ...claims.comparisons.map((each) => each.decision),
  ];
  return [...new Set(decisions.flatMap(({ reasons }) => reasons.map(({ code }) => code)))];
}

describe('the first claim', () => {
  test('against a fake has nothing against it but that it is one', async () => {
    expect(await against(FAKE)).toEqual(['harness_mode', 'not_vendor_endpoint']);
  });

  test('at the vendor’s own endpoint is primary', async () => {
    expect(await against(VENDOR)).toEqual([]);
  });

  test('is not without its last iteration', async () => {
    const cut = (rows: Row[]) => rows.filter(({ iteration }) => iteration < 9);
    expect(await against(VENDOR, cut)).toEqual(['cells_missing', 'too_few_repetitions']);
  });
});
