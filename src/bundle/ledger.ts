import { open, type FileHandle } from 'node:fs/promises';
import { canonicalJson, sha256Hex } from '../contract/canonical.ts';
import { fact } from '../messages/messages.ts';
import { BundleError, isMissing } from './errors.ts';
import { readJsonLines } from './jsonl.ts';
import { GENESIS, LedgerEntry, LedgerRecord } from './ledger-record.ts';

/** `torn`: an incomplete last line was left out, since its writer was killed. */
export interface LedgerContents {
  records: LedgerRecord[];
  torn: boolean;
  head: string;
  /** Bytes of the whole records. */
  bytes: number;
}

/** The one writer of a campaign's ledger. */
export interface Ledger {
  /** The records at the time of opening. */
  readonly before: readonly LedgerRecord[];
  /** Resolves when the record is on disk. */
  append(entry: LedgerEntry): Promise<LedgerRecord>;
  close(): Promise<void>;
}

/** Reads and checks a ledger; an absent one is empty. @throws BundleError naming the line at which the chain is broken. */
export async function readLedger(path: string): Promise<LedgerContents> {
  const records: LedgerRecord[] = [];
  const end = await walk(path, (record) => {
    records.push(record);
  });
  return { records, ...end };
}

/** Hash of the last record. Holds one record at a time. */
export async function ledgerHead(path: string): Promise<string> {
  return (await walk(path, () => {})).head;
}

/** The records one at a time: those of a large bundle need not fit into memory. */
export async function* eachLedgerRecord(path: string): AsyncGenerator<LedgerRecord, void> {
  for await (const link of links(path)) {
    if (link.record !== null) yield link.record;
  }
}

async function walk(path: string, take: (record: LedgerRecord) => void): Promise<Omit<LedgerContents, 'records'>> {
  const end = { torn: false, head: GENESIS, bytes: 0 };
  for await (const { record, head, bytes } of links(path)) {
    end.torn = record === null;
    if (record === null) break;
    take(record);
    end.head = head;
    end.bytes = bytes;
  }
  return end;
}

/** A record, its hash and its end; without a record, a torn line. */
interface Link {
  record: LedgerRecord | null;
  head: string;
  bytes: number;
}

async function* links(path: string): AsyncGenerator<Link, void> {
  let head = GENESIS;
  try {
    for await (const line of readJsonLines(path)) {
      if (line.torn) {
        yield { record: null, head, bytes: 0 };
        break;
      }
      const where = `${path}:${line.number}`;
      const record = checkedRecord(line.value, where, line.number, head);
      // Hashing the line itself, as documented, has to give the same.
      if (line.text !== canonicalJson(record)) throw new BundleError(fact('ledger_not_canonical', { line: where }));
      head = sha256Hex(line.text);
      yield { record, head, bytes: line.end };
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Opens a ledger: checks its records, cuts off a torn tail and continues the chain. */
export async function openLedger(path: string, now: () => Date = () => new Date()): Promise<Ledger> {
  const { records, head, bytes, torn } = await readLedger(path);
  const file = await open(path, 'a');
  if (torn) await file.truncate(bytes);
  const chain = { seq: records.length, head, bytes };
  let last: Promise<unknown> = Promise.resolve();
  return {
    before: records,
    append(entry) {
      const appended = last.then(async () => appendTo(file, path, chain, entry, now()));
      last = appended.catch(() => {});
      return appended;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

interface Chain {
  seq: number;
  head: string;
  bytes: number;
}

async function appendTo(file: FileHandle, path: string, chain: Chain, entry: LedgerEntry, at: Date) {
  const link = { seq: chain.seq + 1, at: at.toISOString(), prev: chain.head };
  const record = LedgerRecord.parse({ ...link, ...LedgerEntry.parse(entry) });
  const json = canonicalJson(record);
  const line = Buffer.from(`${json}\n`);
  const { size } = await file.stat();
  if (size !== chain.bytes) throw new BundleError(fact('ledger_shared', { file: path }));
  await file.appendFile(line);
  await file.datasync();
  chain.seq = record.seq;
  chain.head = sha256Hex(json);
  chain.bytes += line.length;
  return record;
}

function checkedRecord(value: unknown, where: string, seq: number, prev: string): LedgerRecord {
  const parsed = LedgerRecord.safeParse(value);
  if (!parsed.success)
    throw new BundleError(fact('ledger_no_record', { line: where, why: parsed.error.issues[0]?.message ?? '' }));
  if (parsed.data.seq !== seq) throw new BundleError(fact('ledger_other_seq', { line: where, seq: parsed.data.seq }));
  if (parsed.data.prev !== prev) throw new BundleError(fact('ledger_broken', { line: where }));
  return parsed.data;
}
