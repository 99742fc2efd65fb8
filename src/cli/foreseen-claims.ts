import type { Pins } from '../plan/pins.ts';
import { campaignPins } from '../run/campaign-pins.ts';
import { impossibleCell } from '../run/cell-agents.ts';
import { closeSuiteWorld, loadSuiteWorlds, type SuiteWorld } from '../run/suite-world.ts';
import { type FiguredRow, FiguredRows } from '../claim/figured-row.ts';
import { type Claims, drawClaims } from '../claim/claims.ts';
import type { Decision } from '../claim/eligibility.ts';
import { impossibleIn } from '../plan/impossible-in.ts';
import type { Plan, PlannedTask } from '../plan/plan.ts';
import { type Impossible, undisturbedRow } from '../row/undisturbed-row.ts';
import { claimFacts } from '../verify/claim-facts.ts';
import type { Workers } from '../run/worker-count.ts';
import { browserIsolationHere } from './foreseen-isolation.ts';
import type { Planned } from './planning.ts';

/** A browser to ask about before there is one: ours, and new enough for everything. */
const BROWSER: Pins['browser'] = {
  name: 'chromium',
  version: String(Number.MAX_SAFE_INTEGER),
  build: null,
  kind: 'full',
  ours: true,
  sandbox: null,
};

/** A plan and its pins, as a claim is asked of them. */
type ToForesee = Pick<Planned, 'plan' | 'suites' | 'entrants'>;

/**
 * Returns the claims of a campaign in which everything goes well: the policy of all claims, on rows that are folded as those of a run are.
 * Each reason against them here stands whatever comes of the episodes.
 * @param how whether Touchstone launches the browser, and how many episodes run at once
 * @throws WorldError when the world of a suite cannot be loaded, CampaignError when a proof is none.
 */
export async function foreseenClaims(
  foreseen: ToForesee,
  { isOurs, workers }: { isOurs: boolean; workers: Workers },
): Promise<Claims> {
  const { plan, suites } = foreseen;
  const worlds = await loadSuiteWorlds(suites);
  try {
    const pins = await foreseenPins(foreseen, worlds, isOurs);
    if (isOurs) pins.browser.isolation = browserIsolationHere(foreseen.plan.browser_kind).by;
    return claimsOf({ plan, pins }, undisturbedRows(foreseen, pins, workers));
  } finally {
    for (const world of worlds.values()) closeSuiteWorld(world);
  }
}

/** The same of rows that are given: as a whole and verified campaign leaves them. */
export function claimsOf({ plan, pins }: { plan: Plan; pins: Pins }, rows: readonly FiguredRow[]): Claims {
  return drawClaims(claimFacts({ plan, pins }, rows, true), plan.seed).claims;
}

/** The pins of a run of a plan, as far as they are known before. */
export async function foreseenPins(
  { plan, suites, entrants }: ToForesee,
  worlds: ReadonlyMap<string, SuiteWorld>,
  isOurs: boolean,
): Promise<Pins> {
  const browser = { ...BROWSER, kind: plan.browser_kind, ours: isOurs };
  return await campaignPins({
    plan,
    suites,
    entrants,
    worlds,
    takingPart: plan.entrants,
    browser,
    transcripts: {},
  });
}

/** A row of each episode. Repetitions of a cell differ by their number alone. */
export function undisturbedRows({ plan, suites, entrants }: ToForesee, pins: Pins, workers: Workers = 1): FiguredRow[] {
  const figured = new FiguredRows();
  const loaded = new Map(suites.map((suite) => [suite.id, suite]));
  const campaign = { campaign_id: 'foreseen', plan, pins };
  const beside = workers === 1 ? {} : { concurrency: { workers: 2, load_average: null, cores: null } };
  const known = {
    ...beside,
    attempt: 1,
    startedAt: new Date(0),
    executedIndex: 0,
    errorsBefore: 0,
    interruptionsBefore: 0,
  };
  const impossible = (planned: PlannedTask, agent: string, surface: string): Impossible | null => {
    const suite = loaded.get(planned.suite);
    if (suite === undefined) throw new Error(`suite ${planned.suite} is in the plan and was not loaded`);
    const why = impossibleCell({ planned, agent, surface }, entrants, suite);
    return why === null ? impossibleIn(pins.browser, entrants.surface(surface)) : { status: 'not_applicable', why };
  };
  return plan.tasks.flatMap((planned, at) =>
    plan.entrants.flatMap(({ agent, surface }) => {
      const episode = { episodeId: '0'.repeat(32), planIndex: at, iteration: 0, planned, agent, surface };
      const row = undisturbedRow({ campaign, episode, ...known }, impossible(planned, agent, surface));
      return Array.from({ length: plan.iterations }, (_, iteration) => figured.of({ ...row, iteration }));
    }),
  );
}

/** Everything that is decided about entrants, alone and in pairs, over all tasks. */
export function decisionsIn({ entrants, comparisons, other_axes: others }: Claims): Decision[] {
  return [...entrants.map(({ aggregate }) => aggregate), ...others, ...comparisons.map(({ decision }) => decision)];
}

/** Whether something of it could become primary. */
export function canClaim(claims: Claims): boolean {
  return decisionsIn(claims).some(({ grade }) => grade === 'primary');
}
