import { fact } from '../messages/messages.ts';
import type { Row } from '../bundle/row.ts';
import { faultFreeTasks, episodeCount } from '../plan/plan.ts';
import { isFaultFree } from '../claim/faulty-rows.ts';
import { type PooledBundle, pooled, sharedEpisode } from '../claim/pooled.ts';
import type { TablesReport } from '../report/tables-report.ts';
import { nameOfInstance } from '../task/instance.ts';
import { UsageError } from './usage-error.ts';
import { readBundle } from './verified-bundle.ts';

/**
 * The tables of seed 000 over these bundles, of the episodes in which nothing was planned to go wrong.
 * @param since episodes that began earlier are left out, and those that never began; null: none is.
 * @throws UsageError naming a bundle that does not verify, or an episode that is in two of them.
 */
export async function tablesOf(bundles: readonly string[], since: string | null): Promise<TablesReport> {
  const read: (PooledBundle & { complete: boolean })[] = [];
  for (const name of bundles) {
    const { campaign, rows, complete } = await readBundle(name);
    const { campaign_id, plan, shard } = campaign;
    // Recovery is in the report of each.
    const chosen = rows.filter((row) => isFaultFree(row) && (since === null || beganSince(row, since)));
    const planned = episodeCount({ ...plan, tasks: faultFreeTasks(plan) });
    read.push({
      name,
      campaign_id,
      planned,
      entrants: plan.entrants,
      rows: chosen,
      complete: complete && shard === undefined,
    });
  }
  refuseSharedEpisode(read);
  return {
    schema_version: 1,
    since,
    bundles: read.map(({ name, campaign_id, planned, rows, complete }) => ({
      name,
      campaign_id,
      planned,
      episodes: rows.length,
      complete,
      modes: [...new Set(rows.map(({ mode }) => mode))],
      world_kinds: [...new Set(rows.map((row) => row.world_kind))],
    })),
    ...pooled(read),
  };
}

function beganSince({ started_at: started }: Row, since: string): boolean {
  return started !== null && Date.parse(started) >= Date.parse(since);
}

function refuseSharedEpisode(bundles: readonly PooledBundle[]): void {
  const shared = sharedEpisode(bundles);
  if (shared === null) return;
  const { row, first, second } = shared;
  const what = `${nameOfInstance(row.task, row.instance)} #${row.iteration + 1} by ${row.agent} through ${row.surface}`;
  throw new UsageError(fact('shared_episode', { episode: row.episode_id, what, first, second }));
}
