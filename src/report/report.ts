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
import { assertEligible, type EligibleClaim } from '../claim/eligible-claim.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { percent } from './numbers.ts';
import { entrantText } from './title.ts';

/** Name, in words, what the better entrant did. */
const DID_MORE = {
  task_completion: 'passed more than',
  fault_recovery: 'recovered from more of the same faults than',
  authentication: 'passed more behind a login than',
} as const satisfies Record<HeadlineAxis, string>;

/** About what nothing was shown. */
const ABOUT = {
  task_completion: '',
  fault_recovery: ' in recovering from the same faults',
  authentication: ' behind a login',
} as const satisfies Record<HeadlineAxis, string>;

/**
 * Who did better, in one sentence. The only place where that is ever said, and it takes what only the policy makes.
 * @throws Error for a claim that was not found eligible.
 */
export function competitiveSentence(claim: EligibleClaim): string {
  assertEligible(claim);
  const { axis, comparison, scope, worlds, under, waivers } = claim;
  const { first, second, templates, better, other_web: left } = comparison;
  const tasks = claim.templates === templates ? `${templates} tasks` : `${templates} of ${claim.templates} tasks`;
  const without =
    left === undefined ? '' : ` without ${left} pairs of episodes in which they did not meet the same web`;
  const onWhat = `on ${tasks} (${[...worlds, ...under].join(', ')})${without}, and speaks of ${scope}${waivers.map(waiverText).join('')}`;
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

/** A waiver has a form in which nothing can be markup. */
function waiverText({ task, mutant, reason }: EligibleClaim['waivers'][number]): string {
  return `; waived of ${cellText(task)}: ${mutant}, because ${reason}`;
}

function points(share: number): string {
  return `${percent(share)} points`;
}

const ReportedAgent = z.strictObject({
  agent: rowFields.agent,
  /** Absent where the pins of the campaign do not tell. */
  decider: Decider.exactOptional(),
  /** Its work in one line; absent where this version does not know the agent. */
  about: z.string().exactOptional(),
});
export type ReportedAgent = z.infer<typeof ReportedAgent>;

/** `report.json`: what a campaign came to, drawn from its rows alone. */
export const Report = z.strictObject({
  schema_version: z.literal(1),
  campaign_id: rowFields.campaign_id,
  created_at: z.iso.datetime(),
  /** Ids of the planned suites. */
  suites: z.array(rowFields.suite),
  seed: z.int(),
  /** The goals of the planned tasks; absent in reports from before there were any. */
  goals: z.array(ReportedGoal).exactOptional(),
  /** The agents of the plan, with who decides for them. */
  agents: z.array(ReportedAgent),
  /** False while planned episodes are missing. */
  complete: z.boolean(),
  planned: Whole,
  /** The hash that two runs of the same plan are compared by. */
  outcome_hash: Sha256,
  browser: BrowserIdentity.nullable(),
  bench_version: z.string(),
  bench_commit: z.string().nullable(),
  bench_dirty: z.boolean().nullable(),
  /** Kinds of world that the rows were measured on, for example `facsimile`. */
  world_kinds: z.array(WorldKind),
  modes: z.array(Mode),
  /** Isolation of the processes of entrants. */
  process_isolations: z.array(z.strictObject({ by: ProcessIsolation, network: ProcessNetwork })),
  entrants: z.array(EntrantFigures),
  /** The tables of seed 000. */
  tables: OutcomeTables,
  /** Axis D; absent where nothing was planned to go wrong. */
  stress: z.array(StressFigures).exactOptional(),
  /** Axis E; absent where no task was behind a login. */
  sign_in: SignInFigures.exactOptional(),
  /** Why episodes did not pass; absent where all did. */
  failures: z.array(FailureTally).exactOptional(),
  /** Statistics, and what they may be used for. */
  claims: Claims,
  /** Who did better, for the comparisons that may be made so; see `competitiveSentence`. */
  headlines: z.array(z.string()),
  episodes: z.array(EpisodeLine),
  /** The part of the plan that was run, and how many episodes it has; absent where all of it was. */
  shard: z.strictObject({ index: z.int(), of: z.int(), planned: Whole }).exactOptional(),
  /** The number of parts that the bundle was merged from; absent where it was not. */
  merged_parts: z.int().exactOptional(),
  /** Number of episodes in browsers that Touchstone did not launch; absent where there were none. */
  not_ours: Whole.exactOptional(),
  /** Most episodes that ran at once; absent where they ran one after the other. */
  workers: z.int().exactOptional(),
  /** Number of further episodes, which are in `rows.jsonl` alone; absent where all are listed. */
  episodes_not_listed: Whole.exactOptional(),
});
export type Report = z.infer<typeof Report>;

/** The facts of a campaign that were known before its first episode. */
export interface CampaignFacts extends Pick<
  Report,
  'campaign_id' | 'created_at' | 'suites' | 'seed' | 'agents' | 'planned'
> {
  goals: ReportedGoal[];
  /** In the order in which the report lists them. */
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

/** Words an isolation: `bubblewrap, network gateway`. */
export function isolationText({ by, network }: Report['process_isolations'][number]): string {
  const why = whyDiagnostic({ by, network });
  return `${by}, network ${network}${why === null ? '' : ` (diagnostic: ${why})`}`;
}

/** Count the episodes of a report, listed or not. */
export function episodesReported({ episodes, episodes_not_listed: others = 0 }: Report): number {
  return episodes.length + others;
}

/** Returns whether every episode is there that the bundle has to have: those of the plan, or of its part. */
export function isFinished(report: Report): boolean {
  return report.complete || report.shard?.planned === episodesReported(report);
}

/** Say which part of a plan this is, or that parts were merged, which may have run at the same time; null where neither is so. */
export function partsText({ shard, merged_parts: parts }: Report): string | null {
  if (parts !== undefined) return `merged from ${parts} parts, so times may be of several machines`;
  return shard === undefined ? null : `part ${shard.index} of ${shard.of}, which has ${shard.planned}`;
}

/** Say that episodes shared the machine, which their times show; null where they ran one after the other. */
export function workersText({ workers }: Report): string | null {
  return workers === undefined ? null : `up to ${workers} episodes at once, so times are of a shared machine`;
}

/** Say which rows are of browsers that are not ours; null where none is. */
export function notOursText(report: Report): string | null {
  const { not_ours: notOurs } = report;
  if (notOurs === undefined) return null;
  if (notOurs === episodesReported(report)) return 'not launched by Touchstone: all rows are diagnostic';
  return `not launched by Touchstone in ${notOurs} of ${episodesReported(report)} episodes: their rows are diagnostic`;
}

/** Write the end of a list of episodes; null where all are listed. */
export function notListedText({ episodes_not_listed: others }: Report): string | null {
  return others === undefined ? null : `Not listed: the ${others} episodes after these. All are in rows.jsonl.`;
}
