import { BundleError } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { Row } from '../bundle/row.ts';
import { eachSealedRow, type SealedRow, type UnreadableRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import { againstPins } from './against-pins.ts';
import { againstRecording } from './against-recording.ts';
import { broken, type Finding, incomplete } from './finding.ts';
import { rejudge, type Rejudgement } from './rejudge.ts';

/**
 * Holds each row, counted or not, against pins, ledger and events, and judges each counted one again. What counts is put
 * into `counted` as it comes.
 */
export async function* rowFindings(
  layout: BundleLayout,
  campaign: CampaignFile,
  records: readonly LedgerRecord[],
  counted: SealedRow[],
): AsyncGenerator<Finding> {
  const found: Finding[] = [];
  const times = new LedgerTimes(records);
  const places = new Map<string, string>();
  const read = async function* (): AsyncGenerator<SealedRow | UnreadableRow> {
    for await (const each of eachSealedRow(layout)) {
      if ('row' in each) {
        const { row } = each;
        const place = `episodes/${row.episode_id}/${row.attempt}`;
        places.set(row.episode_id, place);
        const problems = [
          ...againstPins(row, campaign),
          ...times.against(row),
          ...(await recordingProblems(row, layout)),
        ];
        found.push(...problems.map((problem) => broken(`${place}/row.json`, problem)));
        if (row.counts) counted.push(each);
      }
      yield each;
    }
  };
  for await (const again of rejudge(layout, campaign, read())) {
    yield* found.splice(0);
    if (!again.agrees) yield disagreement(again, places.get(again.episodeId) ?? `episodes/${again.episodeId}`);
  }
  yield* found;
}

function disagreement({ missing, why, task, agent, surface }: Rejudgement, place: string): Finding {
  if (missing) return incomplete('ledger.jsonl', `no row counts for ${task} by ${agent} through ${surface}`);
  return broken(`${place}/row.json`, why ?? 'is not what follows from its evidence');
}

async function recordingProblems(row: Row, layout: BundleLayout): Promise<string[]> {
  try {
    return await againstRecording(row, layout);
  } catch (error) {
    if (error instanceof BundleError) return [error.message];
    throw error;
  }
}

/** Longest time between two readings of the same clock that are made one after the other; a slow disk lies between them. */
const ADJACENT_MS = 60_000;

/** When the ledger says that attempts were. */
class LedgerTimes {
  readonly #started = new Map<string, { at: string; runId: string }>();
  readonly #sealed = new Map<string, string>();

  constructor(records: readonly LedgerRecord[]) {
    for (const record of records) {
      if (record.kind === 'planned') continue;
      const name = `${record.episode_id}/${record.attempt}`;
      if (record.kind === 'started') this.#started.set(name, { at: record.at, runId: record.run_id });
      if (record.kind === 'sealed') this.#sealed.set(name, record.at);
    }
  }

  against({ episode_id: id, attempt, run_id: runId, started_at: from, ended_at: to }: Row): string[] {
    const [started, sealed] = [this.#started.get(`${id}/${attempt}`), this.#sealed.get(`${id}/${attempt}`)];
    return [
      ...(started?.runId === runId ? [] : ['run_id is not the one that the ledger started']),
      ...(isAdjacent(from, started?.at) ? [] : ['started_at is not when the ledger says']),
      ...(isAdjacent(to, sealed) ? [] : ['ended_at is not when the ledger says']),
    ];
  }
}

function isAdjacent(said: string | null, told: string | undefined): boolean {
  return said === null || (told !== undefined && Math.abs(Date.parse(told) - Date.parse(said)) <= ADJACENT_MS);
}
