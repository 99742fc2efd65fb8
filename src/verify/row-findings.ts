import { BundleError } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { Row } from '../bundle/row.ts';
import { type SealedRow, sealedRowOrProblem, type UnreadableRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { drawnFault } from './against-faults.ts';
import { stampOf } from '../row/row-of.ts';
import { againstPins } from './against-pins.ts';
import { againstRecording, type Recorded } from './against-recording.ts';
import { broken, type Finding, incomplete } from './finding.ts';
import type { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { rejudge, type Rejudgement } from './rejudge.ts';

/** What is done with a row that counts, and the hash of its attempt's seal, as they come. */
export type TakeSealed = (sealed: SealedRow) => Promise<void>;

/**
 * Holds each row, counted or not, against pins, ledger and events, and judges each counted one again. What counts is handed
 * to `take` as it comes, and not held.
 */
export async function* rowFindings(
  layout: BundleLayout,
  campaign: CampaignFile,
  { records, episodes }: { records: AsyncIterable<LedgerRecord>; episodes: PlannedEpisodes },
  take: TakeSealed,
): AsyncGenerator<Finding> {
  const found: Finding[] = [];
  const times = new LedgerTimes();
  let place = 'ledger.jsonl';
  const recordedOf = ({ episode_id: id }: Row): Recorded => {
    const episode = episodes.byId(id);
    return { drawn: episode === null ? null : drawnFault(episode, campaign.plan), pins: campaign.pins };
  };
  const read = async function* (): AsyncGenerator<SealedRow | UnreadableRow> {
    for await (const record of records) {
      times.take(record);
      if (record.kind !== 'sealed') continue;
      place = `episodes/${record.episode_id}/${record.attempt}`;
      const each = await sealedRowOrProblem(record, layout);
      if ('row' in each) {
        const { row } = each;
        const problems = [
          ...againstPins(row, campaign),
          ...times.against(row),
          ...(await recordingProblems(row, layout, recordedOf(row))),
        ];
        found.push(...problems.map((problem) => broken(`${place}/row.json`, problem)));
        if (row.counts) await take(each);
      }
      yield each;
    }
  };
  for await (const again of rejudge(layout, campaign, read(), { episodes })) {
    yield* found.splice(0);
    if (!again.agrees) yield disagreement(again, place);
  }
  yield* found;
}

function disagreement({ missing, why, task, agent, surface }: Rejudgement, place: string): Finding {
  if (missing) return incomplete('ledger.jsonl', `no row counts for ${task} by ${agent} through ${surface}`);
  return broken(`${place}/row.json`, why ?? 'is not what follows from its evidence');
}

async function recordingProblems(row: Row, layout: BundleLayout, recorded: Recorded): Promise<string[]> {
  try {
    return await againstRecording(row, layout, recorded);
  } catch (error) {
    if (error instanceof BundleError) return [error.message];
    throw error;
  }
}

/** Longest time between two readings of the same clock that are made one after the other; a slow disk lies between them. */
const ADJACENT_MS = 60_000;
/** By how much it may have been set back between them. */
const SET_MS = 1_000;

/** When the ledger says that an attempt was: of the one whose end was read last. */
class LedgerTimes {
  /** Of attempts that have not ended. */
  readonly #started = new Map<string, { at: string; runId: string }>();
  #last: { started: { at: string; runId: string } | undefined; sealed: string } | null = null;

  take(record: LedgerRecord): void {
    if (record.kind === 'planned') return;
    const name = `${record.episode_id}/${record.attempt}`;
    if (record.kind === 'started') {
      this.#started.set(name, { at: record.at, runId: record.run_id });
      return;
    }
    if (record.kind === 'sealed') this.#last = { started: this.#started.get(name), sealed: record.at };
    this.#started.delete(name);
  }

  against({ run_id: runId, started_at: from, ended_at: to }: Row): string[] {
    const { started, sealed } = this.#last ?? {};
    return [
      ...(started?.runId === runId ? [] : ['run_id is not the one that the ledger started']),
      ...(isAdjacent(from, started?.at) && isStampedIn(runId, from) ? [] : ['started_at is not when the ledger says']),
      ...(isAdjacent(to, sealed) ? [] : ['ended_at is not when the ledger says']),
    ];
  }
}

/** The ledger is told after what it is told of. */
function isAdjacent(said: string | null, told: string | undefined): boolean {
  if (said === null || told === undefined) return said === null;
  const later = Date.parse(told) - Date.parse(said);
  return later >= -SET_MS && later <= ADJACENT_MS;
}

function isStampedIn(runId: string, startedAt: string | null): boolean {
  return startedAt === null || runId.startsWith(`${stampOf(new Date(startedAt))}__`);
}
