import { type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { readLedger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { rowsSealedIn } from '../bundle/sealed-rows.ts';

/** Time, money and bytes that a campaign took, as far as its bundle shows it. */
export interface CampaignMeasures {
  episodes: number;
  /** All attempts that ended, those that are void among them. */
  attempts: number;
  /** Time in which at least one attempt was under way, in ms: pauses between runs are not in it. */
  busy_ms: number;
  /** Most attempts that were under way at once. */
  most_at_once: number;
  /** Whether other machines ran some of them: how many, the bundle does not have. */
  elsewhere: boolean;
  bytes: number;
  /** Sum over the counted episodes; null where one that asked a model has no price. */
  usd: number | null;
  /** In and out, over the counted episodes. */
  tokens: number;
}

/** @throws BundleError when the ledger or a row cannot be read. */
export async function measureCampaign(layout: BundleLayout): Promise<CampaignMeasures> {
  const { records } = await readLedger(layout.ledger);
  const counted = (await rowsSealedIn(records, layout)).map(({ row }) => row).filter(({ counts }) => counts);
  const spans = spansOf(records);
  return {
    episodes: counted.length,
    attempts: spans.length,
    ...overlapOf(spans),
    elsewhere: counted.some(({ concurrency }) => concurrency?.cores === null),
    bytes: await bytesIn(layout.root),
    usd: usdOf(counted),
    tokens: counted.reduce((sum, { tokens_in: read, tokens_out: written }) => sum + (read ?? 0) + (written ?? 0), 0),
  };
}

/** From when to when, in ms. */
type Span = [from: number, to: number];

/** The time of each attempt that has ended, by the ledger's own clock. A killed attempt ends where its row is made void. */
function spansOf(records: readonly LedgerRecord[]): Span[] {
  const begun = new Map<string, number>();
  const spans: Span[] = [];
  let last = 0;
  for (const record of records) {
    const at = Date.parse(record.at);
    if (record.kind === 'started') begun.set(`${record.episode_id} ${record.attempt}`, at);
    if (record.kind === 'sealed' || record.kind === 'voided') {
      const from = begun.get(`${record.episode_id} ${record.attempt}`);
      // A run that was killed is said to be void when it is resumed, however long after.
      const to = record.kind === 'voided' && record.interruption === undefined ? Math.max(last, from ?? last) : at;
      if (from !== undefined) spans.push([from, to]);
    }
    last = at;
  }
  return spans;
}

function overlapOf(spans: readonly Span[]): { busy_ms: number; most_at_once: number } {
  const turns = spans
    .flatMap(([from, to]) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .toSorted((one, other) => one.at - other.at || one.by - other.by);
  let [under, most, busy, since] = [0, 0, 0, 0];
  for (const { at, by } of turns) {
    if (under > 0) busy += at - since;
    under += by;
    since = at;
    most = Math.max(most, under);
  }
  return { busy_ms: busy, most_at_once: most };
}

/** An episode that asked no model costs nothing. */
function usdOf(rows: readonly Row[]): number | null {
  let sum = 0;
  for (const { cost_usd: usd, tokens_in: tokens } of rows) {
    if (usd === null && tokens !== null) return null;
    sum += usd ?? 0;
  }
  return sum;
}

async function bytesIn(root: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) sum += await bytesOf(entry);
  return sum;
}

/** Nothing, of a file that a run has put elsewhere meanwhile. */
async function bytesOf(entry: Dirent): Promise<number> {
  if (!entry.isFile()) return 0;
  try {
    return (await stat(path.join(entry.parentPath, entry.name))).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
