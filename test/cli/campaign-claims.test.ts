import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { deriveMode } from '../../src/bundle/row-words.ts';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import type { FiguredRow } from '../../src/claim/figured-row.ts';
import { REASONS } from '../../src/messages/reasons.ts';
import { canClaim, claimsOf, decisionsIn, previewPins, previewRows } from '../../src/cli/claim-preview.ts';
import { flagOf, Options } from '../../src/cli/options.ts';
import { PlanningOptions } from '../../src/cli/planning-options.ts';
import { newPlan, type Planned } from '../../src/cli/planning.ts';
import { cellCaps } from '../../src/plan/cell-caps.ts';
import { type Pins, pinned, qualificationHashOf } from '../../src/plan/pins.ts';
import { episodesOf, type PlannedEpisode } from '../../src/plan/plan.ts';
import { FLOOR } from '../../src/plan/task-qualification.ts';
import { loadSuiteWorlds } from '../../src/run/suite-world.ts';
import { instanceName, taskName } from '../../src/task/instance.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { tempFiles } from '../task/temp-files.ts';

const SILENT = { out: () => undefined, note: () => undefined };
const FAKE = 'http://127.0.0.1:9';
const VENDOR = '';

async function planned(file: string, endpoint: string): Promise<Planned> {
  for (const name of ['ANTHROPIC', 'OPENAI', 'GOOGLE', 'DEEPSEEK']) vi.stubEnv(`${name}_BASE_URL`, endpoint);
  const options = PlanningOptions.parse({ campaign: path.resolve('campaigns', file) });
  return await newPlan({ args: [], options, given: ['campaign'] }, SILENT);
}

/** What a proof has to have tried at least. */
const BROAD = {
  incorrect_ends: FLOOR.incorrect_ends,
  made_routes: [{ route: 'by-keyboard', status: 'passed', waived: null }],
};

/**
 * The pins of a run from a clean commit. A suite of stand-ins is on what `record` has left, and qualified on it; and proofs are broad, as they
 * are when `qualify` has run again.
 */
async function pinsOf(campaign: Planned): Promise<Pins> {
  const worlds = await loadSuiteWorlds(campaign.suites);
  const pins = await previewPins(campaign, worlds, true);
  const kinds = Object.entries(pins.world_kinds).map(([task, kind]) => [
    task,
    kind === 'facsimile' ? ('recorded_web' as const) : kind,
  ]);
  const proofs = Object.entries(pins.qualifications).map(([task, proof]) => [task, { ...proof, breadth: BROAD }]);
  return {
    ...pins,
    bench_commit: 'abc123',
    bench_dirty: false,
    world_kinds: Object.fromEntries(kinds),
    qualifications: Object.fromEntries(proofs),
  };
}

/** A row of each episode, as a run that nothing disturbs leaves them: made by hand, and not folded. Figures ask for no hash, so repetitions are copies. */
function vendorRows({ plan }: Planned, pins: Pins): FiguredRow[] {
  const first = episodesOf(plan).filter(({ iteration }) => iteration === 0);
  return first.flatMap((episode) => {
    const { agent, planned: of } = episode;
    const { endpoint_kind: endpoint, ...model } = pinned(pins.models, agent, 'model');
    const world = pinned(pins.world_kinds, `${of.suite}/${taskName(of.task)}`, 'world');
    const facts = { world_kind: world, decider: 'model', endpoint_kind: endpoint, status: 'failed' } as const;
    const row = finishRow({
      ...SAMPLE,
      ...identityOf(episode),
      ...facts,
      mode: deriveMode({ ...facts, dry_run: false }),
      model_id: model.model_id,
      temperature: model.temperature,
      prompt_hash: model.prompt_hash,
      caps: cellCaps({ plan, pins }, episode),
      ...(model.price_table === null ? UNPRICED : {}),
      qualification_hash: qualificationHashOf(pins, of.suite, taskName(of.task)),
      // One login that was passed makes the axis of logins one to speak of.
      ...(of.task.auth?.by === 'form' ? { ...PASSED, auth: of.task.auth } : {}),
    });
    return Array.from({ length: plan.iterations }, (_, iteration) => ({ ...row, iteration }));
  });
}

const WHY = 'no table of prices has this model';
const UNPRICED = { cost_usd: null, price_table: null, null_reasons: { cost_usd: WHY, price_table: WHY } };

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: 'none' } as const;

function identityOf({ agent, surface, iteration, planIndex, planned: { suite, task, ...hashes } }: PlannedEpisode) {
  const identity: Partial<Row> = {
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

async function against(file: string, endpoint: string, edit: (rows: FiguredRow[]) => FiguredRow[] = (rows) => rows) {
  const campaign = await planned(file, endpoint);
  const pins = await pinsOf(campaign);
  const of = { plan: campaign.plan, pins };
  const reasons = (claims: ReturnType<typeof claimsOf>) => [
    ...new Set(decisionsIn(claims).flatMap((decision) => decision.reasons.map(({ code }) => code))),
  ];
  const made = claimsOf(of, edit(vendorRows(campaign, pins)));
  const foreseen = claimsOf(of, previewRows(campaign, pins));
  return { made: reasons(made), foreseen: reasons(foreseen), claims: foreseen };
}

// The shape of the seed can show no difference; the option next to it shows one of 15 points.
test.each([
  ['first-claim.yaml', 0.402],
  ['protocol-600.yaml', null],
  ['protocol-15-points.yaml', 0.145],
  ['webvoyager.yaml', 0.275],
])('%s has nothing against it at the providers’ own endpoints, and plan foresees that', async (file, smallest) => {
  const { made, foreseen, claims } = await against(file, VENDOR);
  expect([made, foreseen]).toEqual([[], []]);
  expect(canClaim(claims)).toBe(true);
  expect(claims.entrants.every(({ aggregate }) => aggregate.grade === 'primary')).toBe(true);
  const { smallest_detectable: shown } = claims;
  expect(shown === null ? null : Math.round(shown * 1000) / 1000).toBe(smallest);
});

test.each(['first-claim.yaml', 'webvoyager.yaml'])(
  '%s against fakes is barred only by being against fakes, and plan foresees that',
  async (file) => {
    const { made, foreseen, claims } = await against(file, FAKE);
    expect(made).toEqual(['harness_mode', 'not_vendor_endpoint']);
    expect(foreseen).toEqual(made);
    expect(canClaim(claims)).toBe(false);
  },
);

test.each([
  ['a vendor’s model without a price can be claimed, capped by turns and tokens', /^$/, []],
  ['a cap on tokens is then required', /^max_tokens.*$/m, ['budget_not_pinned']],
])('%s', async (_, left, expected) => {
  const text = await readFile('campaigns/first-claim.yaml', 'utf8');
  const other = text.replace('claude-haiku-4-5', 'openai:gpt-99').replace(left, '');
  await using files = await tempFiles({ 'campaign.yaml': other });
  const { made, foreseen } = await against(files.path('campaign.yaml'), VENDOR);
  expect([made, foreseen]).toEqual([expected, expected]);
});

test('the first claim fails without its last iteration', async () => {
  const cut = (rows: FiguredRow[]) => rows.filter(({ iteration }) => iteration < 9);
  expect((await against('first-claim.yaml', VENDOR, cut)).made).toEqual(['cells_missing', 'too_few_repetitions']);
});

test('each way to lift a reason names options that exist', () => {
  const flags = new Set(Object.keys(Options.shape).map(flagOf));
  const named = Object.values(REASONS).flatMap(({ remedy }) => remedy.match(/--[a-z-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((flag) => !flags.has(flag))).toEqual([]);
});
