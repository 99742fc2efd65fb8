import type { Pins } from '../plan/pins.ts';
import { campaignPins } from '../run/campaign-pins.ts';
import { impossibleCell, withSuites } from '../run/cell-agents.ts';
import { loadSuiteWorlds, type SuiteWorld } from '../run/suite-world.ts';
import { type FiguredRow, FiguredRows } from '../claim/figured-row.ts';
import { type Claims, drawClaims } from '../claim/claims.ts';
import { groupBy } from '../claim/group.ts';
import { type HeadlineAxis, POLICY } from '../claim/policy.ts';
import { decisionsOn, namesIn, type StandingReason, standingReasons, timeClaimText } from '../report/decisions.ts';
import { counted } from '../report/numbers.ts';
import type { Decision } from '../claim/eligibility.ts';
import { impossibleIn } from '../plan/possible-pair.ts';
import type { Plan, PlannedEpisode } from '../plan/plan.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type Impossible, undisturbedRow } from '../row/undisturbed-row.ts';
import { claimFacts } from '../verify/claim-facts.ts';
import type { Workers } from '../run/worker-count.ts';
import { browserIsolationHere, type Previewed } from './isolation-preview.ts';

/** Replaces the browser until it is known: launched by us, and new enough for everything. */
const BROWSER: Pins['browser'] = {
  name: 'chromium',
  version: String(Number.MAX_SAFE_INTEGER),
  build: null,
  kind: 'full',
  ours: true,
  sandbox: null,
};

/**
 * Returns the claims of a campaign in which every episode passes. Each reason against them holds however the episodes end.
 * @param how whether Touchstone launches the browser, and how many episodes run at once
 * @throws WorldError when the world of a suite cannot be loaded; CampaignError when a proof cannot be read
 */
export async function previewClaims(
  previewed: Previewed,
  { isOurs, workers }: { isOurs: boolean; workers: Workers },
): Promise<Claims> {
  const { plan, suites } = previewed;
  const worlds = await loadSuiteWorlds(suites);
  const pins = await previewPins(previewed, worlds, isOurs);
  if (isOurs) pins.browser.isolation = plan.headed === true ? 'none' : browserIsolationHere(plan.browser_kind).by;
  return claimsOf({ plan, pins }, previewRows(previewed, pins, workers));
}

/** Draws the claims from rows as if they were a verified campaign's. */
export function claimsOf({ plan, pins }: { plan: Plan; pins: Pins }, rows: readonly FiguredRow[]): Claims {
  return drawClaims(claimFacts({ plan, pins }, rows, true), plan.seed).claims;
}

/** Returns the pins that are known before a run. */
export async function previewPins(
  previewed: Previewed,
  worlds: ReadonlyMap<string, SuiteWorld>,
  isOurs: boolean,
): Promise<Pins> {
  const { plan } = previewed;
  const browser = { ...BROWSER, kind: plan.browser_kind, ours: isOurs };
  return await campaignPins({ ...previewed, worlds, takingPart: plan.entrants, browser, transcripts: {} });
}

/** Makes a row for each episode. Repetitions of a cell differ only by their number. */
export function previewRows({ plan, suites, entrants }: Previewed, pins: Pins, workers: Workers = 1): FiguredRow[] {
  const figured = new FiguredRows();
  const campaign = { campaign_id: 'preview', plan, pins };
  const atOnce = workers === 1 ? {} : { concurrency: { workers: 2, load_average: null, cores: null } };
  const known = {
    ...atOnce,
    attempt: 1,
    startedAt: new Date(0),
    executedIndex: 0,
    errorsBefore: 0,
    interruptionsBefore: 0,
  };
  const impossible = (episode: PlannedEpisode, suite: LoadedSuite): Impossible | null => {
    const why = impossibleCell(episode, entrants, suite);
    return why === null
      ? impossibleIn(pins.browser, entrants.surface(episode.surface))
      : { status: 'not_applicable', why };
  };
  const tasks = plan.tasks.map((planned, planIndex) => ({ planned, planIndex }));
  return withSuites(tasks, suites).flatMap(({ whole, ...task }) =>
    plan.entrants.flatMap((entrant) => {
      const episode = { ...task, ...entrant, episodeId: '0'.repeat(32), iteration: 0 };
      const row = undisturbedRow({ campaign, episode, ...known }, impossible(episode, whole));
      return Array.from({ length: plan.iterations }, (_, iteration) => figured.of({ ...row, iteration }));
    }),
  );
}

/** Returns the decisions about entrants and pairs over all tasks. */
export function decisionsIn({ entrants, comparisons, other_axes: others }: Claims): Decision[] {
  return [...entrants.map(({ aggregate }) => aggregate), ...others, ...comparisons.map(({ decision }) => decision)];
}

export function canClaim(claims: Claims): boolean {
  return decisionsIn(claims).some(({ grade }) => grade === 'primary');
}

const AXES: readonly HeadlineAxis[] = ['task_completion', 'fault_recovery', 'authentication'];

/** Names the claims that could become primary, and counts the reasons against the others. */
export function previewSum(claims: Claims): string {
  const axes = AXES.filter((axis) => decisionsOn(claims, axis).length > 0);
  const standing = axes.map((axis) => standingReasons(claims, axis));
  const against = standing.reduce((sum, { alone, compared }) => sum + alone.length + compared.length, 0);
  const rest =
    against === 0 ? '' : `; --claims lists ${counted(against, 'reason')} against ${canClaim(claims) ? 'more' : 'it'}`;
  return `${canClaim(claims) ? axes.map((axis) => shareOf(claims, axis)).join(', ') : 'nothing'}${rest}`;
}

/** Lists the claims that could become primary, and each reason against others once, with its entrants and remedy. */
export function previewLines(claims: Claims): string[] {
  const lines = AXES.flatMap((axis) => {
    const decisions = decisionsOn(claims, axis);
    if (decisions.length === 0) return [];
    const { alone, compared } = standingReasons(claims, axis);
    return [
      `${axis.replaceAll('_', ' ')} (policy ${POLICY.version}): ${shareOf(claims, axis)} could be primary`,
      ...[...groupBy(decisions, ({ grade }) => grade)].map(
        ([grade, own]) => `  ${grade}: ${own.map(namesIn).join(', ')}`,
      ),
      ...alone.flatMap(listed),
      ...(compared.length === 0
        ? []
        : ['  reasons against comparing two, which apply to neither alone:', ...compared.flatMap(listed)]),
    ];
  });
  return [...lines, `time per success (policy ${POLICY.version}): ${timeClaimText(claims)}`];
}

/** `1 of 2 entrants and 0 of 1 pair` */
function shareOf(claims: Claims, axis: HeadlineAxis): string {
  const decisions = decisionsOn(claims, axis);
  const pairs = claims.comparisons.flatMap(({ decision }) => (decision.question.axis === axis ? [decision] : []));
  const [entrants, compared] = [decisions, pairs].map((of) => of.filter(({ grade }) => grade === 'primary').length);
  return `${entrants} of ${counted(decisions.length, 'entrant')} and ${compared} of ${counted(pairs.length, 'pair')}`;
}

function listed({ code, remedy, found }: StandingReason): string[] {
  const texts = found.map(({ text, entrants }) => `${text} (${entrants})`);
  return [`    ${code}: ${texts.join('; ')}`, ...(remedy === null ? [] : [`      to lift it: ${remedy}`])];
}
