import { z } from 'zod';
import { BrowserIdentity, rowFields } from '../bundle/row-fields.ts';
import { Decider, Mode, ProcessIsolation, ProcessNetwork, WorldKind } from '../bundle/row-words.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { apartByManifest } from '../claim/by-manifest.ts';
import { Claims, type DrawnClaims } from '../claim/claims.ts';
import { FailureTally, failureTallies } from '../claim/failures.ts';
import { isFaultFree } from '../claim/faulty-rows.ts';
import { Whole } from '../claim/figure-fields.ts';
import type { FiguredRow } from '../claim/figured-row.ts';
import { type Entrant, EntrantFigures, entrantFigures } from '../claim/figures.ts';
import { distinct, those, cellText } from '../claim/group.ts';
import { whyDiagnostic } from '../claim/kept-apart.ts';
import { OutcomeTables, outcomeTables } from '../claim/outcome-tables.ts';
import { SignInFigures, signInFigures } from '../claim/sign-in.ts';
import { StressFigures, stressFigures } from '../claim/stress.ts';
import { type CountedRows, EpisodeLine } from './counted-rows.ts';
import { ReportedGoal } from './goals.ts';
import { raisedCaps } from '../task/caps.ts';
import { assertEligible, type EligibleClaim } from '../claim/eligible-claim.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { percent } from './numbers.ts';
import { entrantText } from './title.ts';

const DID_MORE = {
  task_completion: 'passed more than',
  fault_recovery: 'recovered from more of the same faults than',
  authentication: 'passed more behind a login than',
} as const satisfies Record<HeadlineAxis, string>;

const ABOUT = {
  task_completion: '',
  fault_recovery: ' in recovering from the same faults',
  authentication: ' behind a login',
} as const satisfies Record<HeadlineAxis, string>;

/**
 * Words which entrant did better. No other function does, and this one takes only claims that the policy made.
 * @throws Error for any other claim
 */
export function competitiveSentence(claim: EligibleClaim): string {
  assertEligible(claim);
  const { axis, comparison, scope, worlds, under, waivers } = claim;
  const { first, second, templates, better, other_web: left } = comparison;
  const tasks = claim.templates === templates ? `${templates} tasks` : `${templates} of ${claim.templates} tasks`;
  const without =
    left === undefined ? '' : ` without ${left} pairs of episodes in which they did not meet the same web`;
  const raised = Object.entries(raisedCaps(claim.caps)).map(([name, cap]) => `${name} ${cap}`);
  const caps = raised.length === 0 ? '' : `, with caps raised to ${raised.join(', ')}`;
  const onWhat = `on ${tasks} (${[...worlds, ...under].join(', ')})${without}${caps}, and speaks of ${scope}${waivers.map(waiverText).join('')}`;
  const test = `p = ${comparison.p_adjusted.toPrecision(2)} after Holm`;
  const { smallest_detectable: least } = comparison;
  const smallest =
    least === null ? 'they can show none' : `${points(least)} is the smallest difference that they can show`;
  if (better === null) {
    return `Between ${entrantText(first)} and ${entrantText(second)} no difference${ABOUT[axis]} was shown: ${points(comparison.difference)}, ${test}; ${smallest}. Measured ${onWhat}.`;
  }
  const [winner, other] = better === 'first' ? [first, second] : [second, first];
  const gap = points(Math.abs(comparison.difference));
  return `${entrantText(winner)} ${DID_MORE[axis]} ${entrantText(other)}: by ${gap}, ${test}; ${smallest}. Measured ${onWhat}.`;
}

/** Waivers cannot contain markup. */
function waiverText({ task, mutant, reason }: EligibleClaim['waivers'][number]): string {
  return `; waived of ${cellText(task)}: ${mutant}, because ${reason}`;
}

function points(share: number): string {
  return `${percent(share)} points`;
}

const ReportedAgent = z.strictObject({
  agent: rowFields.agent,
  /** Absent if the pins of the campaign lack it. */
  decider: Decider.exactOptional(),
  /** Describes a built-in agent in one line. */
  about: z.string().exactOptional(),
});
export type ReportedAgent = z.infer<typeof ReportedAgent>;

/** `report.json`: the results of a campaign, from its rows alone. */
export const Report = z.strictObject({
  schema_version: z.literal(1),
  campaign_id: rowFields.campaign_id,
  created_at: z.iso.datetime(),
  suites: z.array(rowFields.suite),
  seed: z.int(),
  /** Absent in older reports. */
  goals: z.array(ReportedGoal).exactOptional(),
  agents: z.array(ReportedAgent),
  /** False while planned episodes are missing. */
  complete: z.boolean(),
  planned: Whole,
  /** Compares two runs of the same plan. */
  outcome_hash: Sha256,
  browser: BrowserIdentity.nullable(),
  bench_version: z.string(),
  bench_commit: z.string().nullable(),
  bench_dirty: z.boolean().nullable(),
  world_kinds: z.array(WorldKind),
  modes: z.array(Mode),
  process_isolations: z.array(z.strictObject({ by: ProcessIsolation, network: ProcessNetwork })),
  entrants: z.array(EntrantFigures),
  /** The tables of seed 000. */
  tables: OutcomeTables,
  /** Axis D; absent if no fault was planned. */
  stress: z.array(StressFigures).exactOptional(),
  /** Axis E; absent if no task was behind a login. */
  sign_in: SignInFigures.exactOptional(),
  /** Absent if all episodes passed. */
  failures: z.array(FailureTally).exactOptional(),
  claims: Claims,
  /** See `competitiveSentence`. */
  headlines: z.array(z.string()),
  episodes: z.array(EpisodeLine),
  /** The part of the plan that was run; absent if all of it was. */
  shard: z.strictObject({ index: z.int(), of: z.int(), planned: Whole }).exactOptional(),
  merged_parts: z.int().exactOptional(),
  /** Episodes in browsers that Touchstone did not launch; absent if none. */
  not_ours: Whole.exactOptional(),
  /** Most episodes that ran at once; absent if it was one. */
  workers: z.int().exactOptional(),
  /** Episodes that only `rows.jsonl` has; absent if all are listed. */
  episodes_not_listed: Whole.exactOptional(),
});
export type Report = z.infer<typeof Report>;

export type ReportedEpisodes = Pick<Report, 'episodes' | 'agents'>;

/** Facts of a campaign from before its first episode. */
export interface CampaignFacts extends Pick<
  Report,
  'campaign_id' | 'created_at' | 'suites' | 'seed' | 'agents' | 'planned'
> {
  goals: ReportedGoal[];
  /** In the order of the report. */
  plannedEntrants: readonly Entrant[];
}

export function buildReport(
  { plannedEntrants, ...campaign }: CampaignFacts,
  counted: CountedRows,
  { claims, eligible }: DrawnClaims,
): Report {
  const { listed, version } = counted;
  const { rows, entrants } = apartByManifest(counted.figured, plannedEntrants);
  const notOurs = rows.filter(({ browser }) => browser?.ours === false).length;
  const notListed = rows.length - listed.length;
  const faultFree = those(rows, isFaultFree);
  const stress = stressFigures(rows, entrants);
  const signIn = signInFigures(faultFree, entrants);
  const failures = failureTallies(rows);
  return {
    schema_version: 1,
    campaign_id: campaign.campaign_id,
    created_at: campaign.created_at,
    suites: campaign.suites,
    seed: campaign.seed,
    goals: campaign.goals,
    agents: campaign.agents,
    complete: rows.length === campaign.planned,
    planned: campaign.planned,
    outcome_hash: counted.outcomeHash(),
    browser: version?.browser ?? null,
    bench_version: version?.bench_version ?? '',
    bench_commit: version?.bench_commit ?? null,
    bench_dirty: version?.bench_dirty ?? null,
    world_kinds: [...distinct(rows, (row) => row.world_kind)],
    modes: [...distinct(rows, (row) => row.mode)],
    process_isolations: isolationsIn(rows),
    entrants: entrantFigures(faultFree, entrants),
    tables: outcomeTables(faultFree, entrants),
    ...(stress.length === 0 ? {} : { stress }),
    ...(signIn === null ? {} : { sign_in: signIn }),
    ...(failures.length === 0 ? {} : { failures }),
    claims,
    headlines: eligible.map(competitiveSentence),
    episodes: listed,
    ...(notOurs === 0 ? {} : { not_ours: notOurs }),
    ...(counted.workers === 1 ? {} : { workers: counted.workers }),
    ...(notListed === 0 ? {} : { episodes_not_listed: notListed }),
  };
}

function isolationsIn(rows: readonly FiguredRow[]): Report['process_isolations'] {
  const isolations = rows.flatMap(({ process_isolation: isolation }) => isolation ?? []);
  return [...new Map(isolations.map((each) => [`${each.by} ${each.network}`, each])).values()];
}

/** `bubblewrap, network gateway` */
export function isolationText({ by, network }: Report['process_isolations'][number]): string {
  const why = whyDiagnostic({ by, network });
  return `${by}, network ${network}${why === null ? '' : ` (diagnostic: ${why})`}`;
}

export function episodesReported({ episodes, episodes_not_listed: others = 0 }: Report): number {
  return episodes.length + others;
}

/** Whether the bundle has every episode of the plan, or of its part. */
export function isFinished(report: Report): boolean {
  return report.complete || report.shard?.planned === episodesReported(report);
}

/** Names the part of a plan, or the number of merged parts; null if it is a whole run. */
export function partsText({ shard, merged_parts: parts }: Report): string | null {
  if (parts !== undefined) return `merged from ${parts} parts, so times may be of several machines`;
  return shard === undefined ? null : `part ${shard.index} of ${shard.of}, which has ${shard.planned}`;
}

/** Null if episodes ran one after the other. */
export function workersText({ workers }: Report): string | null {
  return workers === undefined ? null : `up to ${workers} episodes at once, so times are of a shared machine`;
}

/** Counts rows of browsers that are not ours; null without any. */
export function notOursText(report: Report): string | null {
  const { not_ours: notOurs } = report;
  if (notOurs === undefined) return null;
  if (notOurs === episodesReported(report)) return 'not launched by Touchstone: all rows are diagnostic';
  return `not launched by Touchstone in ${notOurs} of ${episodesReported(report)} episodes: their rows are diagnostic`;
}

/** Ends a list of episodes; null if all are listed. */
export function notListedText({ episodes_not_listed: others }: Report): string | null {
  return others === undefined ? null : `Not listed: the ${others} episodes after these. All are in rows.jsonl.`;
}
