import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { SealedRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { fileProblem, type BundleProblem, incomplete } from './finding.ts';
import { type ReadAttempt, readAttempts, type UnreadAttempt } from './read-attempts.ts';
import { rejudgeBundle, type Rejudgement } from './rejudge.ts';

/** Takes each row that counts, and the hash of its attempt's seal, as they come. */
export type TakeSealed = (sealed: SealedRow) => Promise<void>;

/**
 * Holds each row, counted or not, to what was recorded, and judges each counted one again. What counts is handed to `take` as it
 * comes, and not held.
 */
export async function* rowFindings(
  layout: BundleLayout,
  campaign: CampaignFile,
  { records, episodes }: { records: AsyncIterable<LedgerRecord>; episodes: PlannedEpisodes },
  take: TakeSealed,
): AsyncGenerator<BundleProblem> {
  const found: BundleProblem[] = [];
  const read = async function* (): AsyncGenerator<ReadAttempt | UnreadAttempt> {
    for await (const each of readAttempts(layout, campaign, { records, episodes })) {
      const { episode_id: episodeId, attempt } = 'row' in each ? each.row : { ...each, episode_id: each.episodeId };
      found.push(...each.problems.map((problem) => fileProblem(rowFile(episodeId, attempt), problem)));
      if ('row' in each && each.row.counts) await take(each);
      yield each;
    }
  };
  for await (const again of rejudgeBundle(layout, campaign, read(), { episodes })) {
    yield* found.splice(0);
    if (!again.agrees && again.problems.length === 0) yield disagreement(again);
  }
  yield* found;
}

function disagreement({ attempt, episodeId, why, task, agent, surface }: Rejudgement): BundleProblem {
  if (attempt === null) return incomplete('ledger.jsonl', `no row counts for ${task} by ${agent} through ${surface}`);
  return fileProblem(rowFile(episodeId, attempt), why ?? 'is not what follows from its evidence');
}

function rowFile(episodeId: string, attempt: number): string {
  return `episodes/${episodeId}/${attempt}/row.json`;
}
