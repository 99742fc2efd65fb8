import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { z } from 'zod';
import { BundleError } from '../bundle/errors.ts';
import { readJsonFile } from '../bundle/json-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { Row } from '../bundle/row.ts';
import { type SealedRecord, type SealedRow, sealedRowOrProblem, type UnreadableRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { campaignsOfParts } from '../plan/parts.ts';
import type { PlannedEpisodes } from '../plan/part-of-plan.ts';
import { type Attempt, CLOCK_SET_MS, isRecordedInTime, runIdOf, startedAtIn } from '../row/attempt.ts';
import { planProblems, readRecord, rowProblems } from '../row/against-record.ts';
import type { Recorded } from '../row/recorded.ts';

/** Checks that each surface was available in all rows of a campaign or in none. */
export class Availability {
  /** By surface, from its first row. */
  readonly #wasAvailable = new Map<string, boolean>();

  /** Finds a row that contradicts an earlier one. */
  problemsOf({ status, surface }: Pick<Row, 'status' | 'surface'>): Fact[] {
    if (status === 'not_applicable') return [];
    const isAvailable = status !== 'unavailable';
    const wasAvailable = this.#wasAvailable.get(surface) ?? isAvailable;
    this.#wasAvailable.set(surface, wasAvailable);
    if (isAvailable === wasAvailable) return [];
    return [fact(isAvailable ? 'surface_was_unavailable' : 'surface_was_available')];
  }
}

/** The row of a sealed attempt, its record, and the differences. */
export interface ReadAttempt extends SealedRow {
  recorded: Recorded;
  problems: Fact[];
}

/** An attempt whose `row.json` is not a row or contradicts its own hashes, and the problems of its fields. */
export interface UnreadAttempt extends UnreadableRow {
  problems: Fact[];
}

/** `notBefore`: the end of the attempts that must have ended before it began, in ms since 1970. */
type Started = Extract<LedgerRecord, { kind: 'started' }> & { index: number; notBefore: number };

/** The last ends of a part's attempts so far, of all and of those that ran alone, in ms since 1970. */
interface LastEnds {
  all: number;
  alone: number;
}

/**
 * Reads the rows of all sealed attempts in the order of the ledger, and compares each with the row that follows from plan, pins,
 * ledger and events. Holds one attempt at a time.
 */
export async function* readAttempts(
  layout: BundleLayout,
  campaign: CampaignFile,
  { records, episodes }: { records: AsyncIterable<LedgerRecord>; episodes: PlannedEpisodes },
): AsyncGenerator<ReadAttempt | UnreadAttempt> {
  const started = new Map<string, Started>();
  /** Attempts of an episode that ended in an infrastructure error. */
  const errors = new Map<string, number>();
  /** Attempts that were interrupted from outside their entrant. */
  const interruptions = new Map<string, number>();
  const parts = campaignsOfParts(campaign);
  /** Attempts started so far, by part; an unmerged bundle has one part, 0. */
  const begunSoFar = new Map<number, number>();
  const lastEnds = new Map<number, LastEnds>();
  const availability = new Availability();
  for await (const record of records) {
    if (!('episode_id' in record)) continue;
    const name = `${record.episode_id}/${record.attempt}`;
    const part = record.part ?? 0;
    if (record.kind === 'started') {
      const index = begunSoFar.get(part) ?? 0;
      const { all, alone } = lastEnds.get(part) ?? { all: 0, alone: 0 };
      started.set(name, { ...record, index, notBefore: record.concurrency === undefined ? all : alone });
      begunSoFar.set(part, index + 1);
      continue;
    }
    const begun = started.get(name);
    started.delete(name);
    if (record.kind === 'voided') {
      const count = record.interruption === undefined ? 0 : 1;
      interruptions.set(record.episode_id, (interruptions.get(record.episode_id) ?? 0) + count);
      continue;
    }
    const sealed = await sealedRowOrProblem(record, layout);
    const errorsBefore = errors.get(record.episode_id) ?? 0;
    const episode = episodes.byId(record.episode_id);
    const read = await readRecord(layout, record);
    if (read.recorded.last.stop?.stop === 'infra_error') errors.set(record.episode_id, errorsBefore + 1);
    const interruptionsBefore = interruptions.get(record.episode_id) ?? 0;
    if (begun !== undefined) lastEnds.set(part, withEndOf(begun, read.recorded.atMs, lastEnds.get(part)));
    const { attempt, at: sealedAt } = record;
    const known = { campaign: parts[part - 1] ?? campaign, attempt, errorsBefore, interruptionsBefore };
    const problemsIn = (row: object): Fact[] =>
      read.isWhole && episode !== null
        ? problemsOf(row, read.recorded, { ...known, episode }, { begun, sealedAt })
        : [];
    if ('problem' in sealed) {
      const row = await knownFieldsOf(record, layout);
      yield { ...sealed, problems: row === null ? [] : [...read.problems, ...problemsIn(row)] };
    } else {
      const problems = [...read.problems, ...problemsIn(sealed.row), ...availability.problemsOf(sealed.row)];
      yield { ...sealed, recorded: read.recorded, problems };
    }
  }
}

function withEndOf(
  { run_id: id, concurrency }: Started,
  atMs: number,
  before: LastEnds = { all: 0, alone: 0 },
): LastEnds {
  const ended = (startedAtIn(id)?.getTime() ?? 0) + atMs;
  const alone = concurrency === undefined ? Math.max(before.alone, ended) : before.alone;
  return { all: Math.max(before.all, ended), alone };
}

async function knownFieldsOf({ episode_id: id, attempt }: SealedRecord, layout: BundleLayout): Promise<object | null> {
  try {
    const { row } = layout.attempt(id, attempt);
    const read = await readJsonFile(row, z.record(z.string(), z.unknown()), 'a row', { maxBytes: MAX_BYTES.row });
    return Object.fromEntries(Object.entries(read).filter(([field]) => Object.hasOwn(Row.shape, field)));
  } catch (error) {
    if (error instanceof BundleError) return null;
    throw error;
  }
}

function problemsOf(
  row: object,
  recorded: Recorded,
  known: Omit<Attempt, 'startedAt' | 'executedIndex' | 'concurrency'>,
  { begun, sealedAt }: { begun: Started | undefined; sealedAt: string },
): Fact[] {
  const startedAt = begun === undefined ? null : startedAtIn(begun.run_id);
  if (begun === undefined || startedAt === null) return [fact('row_of_unknown_start')];
  const { campaign, episode } = known;
  const attempt: Attempt = { ...known, startedAt, executedIndex: begun.index, concurrency: begun.concurrency };
  const endedAt = startedAt.getTime() + recorded.atMs;
  const hasEnded = recorded.last.stop !== undefined;
  return [
    ...(begun.run_id === runIdOf(episode, startedAt) ? [] : [fact('row_other_run_id')]),
    ...(startedAt.getTime() >= begun.notBefore - CLOCK_SET_MS ? [] : [fact('row_not_alone')]),
    ...(isRecordedInTime(startedAt.getTime(), Date.parse(begun.at)) ? [] : [fact('row_other_start')]),
    ...(!hasEnded || isRecordedInTime(endedAt, Date.parse(sealedAt)) ? [] : [fact('row_other_end')]),
    ...planProblems(recorded, episode, campaign),
    ...rowProblems(row, attempt, recorded),
  ];
}
