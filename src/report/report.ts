import type { Row } from '../bundle/row.ts';
import { type SignInFigures, signInFigures } from '../claim/sign-in.ts';
import { type StressFigures, stressFigures } from '../claim/stress.ts';
import { isFaultFree } from '../claim/faulty-rows.ts';
import { distinct, those } from '../claim/group.ts';
import { apartByManifest } from '../claim/by-manifest.ts';
import type { Claims, DrawnClaims } from '../claim/claims.ts';
import { whyDiagnostic } from '../claim/kept-apart.ts';
import { type Entrant, entrantFigures, type EntrantFigures } from '../claim/figures.ts';
import { type OutcomeTables, outcomeTables } from '../claim/outcome-tables.ts';

import type { FiguredRow } from '../claim/figured-row.ts';
import { competitiveSentence } from './competitive-sentence.ts';
import type { CountedRows } from './counted-rows.ts';
import type { EpisodeLine } from './episode-line.ts';

/** `report.json`: what a campaign came to, drawn from its rows alone. */
export interface Report {
  schema_version: 1;
  campaign_id: string;
  /** False while planned episodes are missing. */
  complete: boolean;
  planned: number;
  /** The hash that two runs of the same plan are compared by. */
  outcome_hash: string;
  browser: Row['browser'];
  bench_version: string;
  bench_commit: string | null;
  bench_dirty: boolean | null;
  /** Kinds of world that the rows were measured on, for example `facsimile`. */
  world_kinds: string[];
  modes: string[];
  /** How the processes of self-driving agents were kept apart, for example `bubblewrap, network gateway`. */
  process_isolations: string[];
  entrants: EntrantFigures[];
  /** The tables of seed 000. */
  tables: OutcomeTables;
  /** Axis D; absent where nothing was planned to go wrong. */
  stress?: StressFigures[];
  /** Axis E; absent where no task was behind a login. */
  sign_in?: SignInFigures;
  /** Statistics, and what they may be used for. */
  claims: Claims;
  /** Who did better, for the comparisons that may be made so; see `competitiveSentence`. */
  headlines: string[];
  episodes: EpisodeLine[];
  /** Number of further episodes, which are in `rows.jsonl` alone; absent where all are listed. */
  episodes_not_listed?: number;
}

/**
 * @param plannedEntrants in the order in which the report lists them.
 */
export function buildReport(
  campaignId: string,
  planned: number,
  counted: CountedRows,
  plannedEntrants: readonly Entrant[],
  { claims, eligible }: DrawnClaims,
): Report {
  const { listed, version } = counted;
  const { rows, entrants } = apartByManifest(counted.figured, plannedEntrants);
  const notListed = rows.length - listed.length;
  const faultFree = those(rows, isFaultFree);
  const stress = stressFigures(rows, entrants);
  const signIn = signInFigures(faultFree, entrants);
  return {
    schema_version: 1,
    campaign_id: campaignId,
    complete: rows.length === planned,
    planned,
    outcome_hash: counted.outcomeHash(),
    browser: version?.browser ?? null,
    bench_version: version?.bench_version ?? '',
    bench_commit: version?.bench_commit ?? null,
    bench_dirty: version?.bench_dirty ?? null,
    world_kinds: [...distinct(rows, (row) => row.world_kind)],
    modes: [...distinct(rows, (row) => row.mode)],
    process_isolations: [...new Set(rows.flatMap(isolationOf))],
    entrants: entrantFigures(faultFree, entrants),
    tables: outcomeTables(faultFree, entrants),
    ...(stress.length === 0 ? {} : { stress }),
    ...(signIn === null ? {} : { sign_in: signIn }),
    claims,
    headlines: eligible.map(competitiveSentence),
    episodes: listed,
    ...(notListed === 0 ? {} : { episodes_not_listed: notListed }),
  };
}

function isolationOf({ process_isolation: isolation }: FiguredRow): string[] {
  if (isolation === null) return [];
  const { by, network } = isolation;
  const why = whyDiagnostic(isolation);
  return [`${by}, network ${network}${why === null ? '' : ` (diagnostic: ${why})`}`];
}

/** Count the episodes of a report, listed or not. */
export function episodesIn({ episodes, episodes_not_listed: others = 0 }: Report): number {
  return episodes.length + others;
}

/** Write the end of a list of episodes; null where all are listed. */
export function notListedText({ episodes_not_listed: others }: Report): string | null {
  return others === undefined ? null : `Not listed: the ${others} episodes after these. All are in rows.jsonl.`;
}
