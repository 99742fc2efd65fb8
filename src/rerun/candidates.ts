import type { Row } from '../bundle/row.ts';
import { AGENTS } from '../agent/built-in.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { Entrants } from '../plan/entrants.ts';

/** The suites and entrants here to run episodes with. */
export interface Means {
  entrants: Entrants;
  /** Ids of the suites that are loaded. */
  suites: ReadonlySet<string>;
}

/** Why some episodes cannot be run again, and how many they are. */
export interface NotAgain {
  why: string;
  episodes: number;
}

/** Parts rows into those whose episodes can be run again here, and the others, counted by reason. */
export function candidatesAmong(
  rows: readonly Row[],
  campaign: CampaignFile,
  means: Means,
): { candidates: Row[]; cannot: NotAgain[] } {
  const counts = new Map<string, number>();
  const candidates = rows.filter((row) => {
    const why = whyNotAgain(row, campaign, means);
    if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
    return why === null;
  });
  return { candidates, cannot: [...counts].map(([why, episodes]) => ({ why, episodes })) };
}

/** Only what decides without a model, in a world and through a surface that are here, comes to the same again. */
function whyNotAgain(row: Row, { plan }: CampaignFile, { entrants, suites }: Means): string | null {
  if (row.status === 'not_applicable' || row.status === 'unavailable') return `it never ran: ${row.status}`;
  if (row.status === 'infra_error') return 'it broke down, and so has no outcome';
  if (plan.live) return 'its world was the live web';
  if (row.browser?.ours === false) return 'its browser was not ours';
  if (row.decider === 'model') return `${row.agent} is a model`;
  if (row.decider === 'process') return `${row.agent} is a command of somebody's`;
  if (!AGENTS.some(({ id }) => id === row.agent)) return `agent ${row.agent} is none of those that are built in`;
  if (!suites.has(row.suite)) return `suite ${row.suite} is not built in, and was not named`;
  const surface = entrants.surfaces.find(({ id }) => id === row.surface);
  if (surface === undefined) return `surface ${row.surface} is none of those that are built in`;
  return surface.unavailable === null ? null : `surface ${row.surface} is not here: ${surface.unavailable}`;
}
