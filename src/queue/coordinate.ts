import path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { BlobStore } from '../bundle/blobs.ts';
import { messageOf } from '../contract/message-of.ts';
import { campaignText } from '../plan/campaign-file.ts';
import type { Remote } from '../run/campaign.ts';
import { PREFIX, type QueueConnection } from './connection.ts';
import { messageIn, type OpenCampaign, WorkerRefusal } from './messages.ts';
import { QueuedAttempts } from './queued-attempts.ts';
import { readFileSync } from 'node:fs';
import { hashJson, sha256Hex } from '../contract/canonical.ts';
import { packageRoot } from '../plan/package-root.ts';
import { hashTree } from '../plan/pins.ts';

export interface CoordinateOptions {
  connection: QueueConnection;
  store: BlobStore;
  /** Most attempts that are in the queue or with a worker at once. */
  workers: number;
  /** Receives reports of the queue and its workers, whose text is not trusted. */
  note: (line: string) => void;
}

/** Seconds that a campaign stays open without a beat, and the time between two beats, in ms. */
const OPEN_S = 30;
const BEAT_MS = 5_000;
/** Beats after which the campaign is stored again, since Redis forgets with time. */
const BEATS_TO_KEEP = 60;

export function openKey(campaign: string): string {
  return `${PREFIX}:open:${campaign}`;
}

export function refusedKey(campaign: string): string {
  return `${PREFIX}:refused:${campaign}`;
}

/** Runs the attempts of a campaign through a queue. The leftovers of an earlier run are deleted: the ledger has everything. */
export function throughQueue({ connection, store, workers, note }: CoordinateOptions): Remote {
  return {
    workers,
    async open(of) {
      of.listener.phase?.('opening the queue');
      const text = campaignText(of.campaign);
      const key = await store.put(text);
      const open: OpenCampaign = {
        schema_version: 1,
        campaign_id: of.campaign.campaign_id,
        campaign: key,
        code: await codeHash(),
        session: randomUUID(),
      };
      const { bullmq, client } = connection;
      const shared = { connection: client, prefix: PREFIX };
      const queue = new bullmq.Queue(key, shared);
      queue.on('error', () => {});
      await queue.obliterate({ force: true });
      const events = new bullmq.QueueEvents(key, { ...shared, lastEventId: '0-0' });
      events.on('error', () => {});
      const attempts = new QueuedAttempts({ ...of, client, queue, store, key, note });
      attempts.listen(events);
      of.listener.phase?.('waiting for workers');
      const keep = () => store.put(text);
      const stopBeating = beating({ client, store, open, note, keep, look: () => attempts.look() });
      return {
        run: (...attempt) => attempts.run(...attempt),
        close: async () => {
          await stopBeating();
          await client.del(openKey(key));
          await queue.obliterate({ force: true });
          await events.close();
          await queue.close();
        },
      };
    },
  };
}

interface Beating {
  client: Redis;
  store: Pick<BlobStore, 'has'>;
  open: OpenCampaign;
  note: (line: string) => void;
  keep: () => Promise<unknown>;
  look: () => Promise<void>;
}

/**
 * Keeps the campaign open and collects the refusals of workers, even while the store is away.
 * @returns stops it
 */
function beating({ client, store, open, note, keep, look }: Beating): () => Promise<void> {
  let isOver = false;
  const failed = (error: unknown): void => {
    if (!isOver) note(`the queue: ${messageOf(error)}`);
  };
  let kept = 0;
  const keeping = oneAtATime(async () => {
    if (kept % BEATS_TO_KEEP === 0 || !(await store.has(open.campaign))) await keep();
    kept += 1;
  }, failed);
  const beat = oneAtATime(async () => {
    keeping.begin();
    await client.set(openKey(open.campaign), JSON.stringify(open), 'EX', OPEN_S);
    await noteRefusals(client, open.campaign, note);
    await look();
  }, failed);
  beat.begin();
  const timer = setInterval(beat.begin, BEAT_MS);
  return async () => {
    isOver = true;
    clearInterval(timer);
    await beat.ended();
  };
}

/** Skips a run while the previous one is under way. */
function oneAtATime(
  act: () => Promise<void>,
  failed: (error: unknown) => void,
): { begin: () => void; ended: () => Promise<void> } {
  let current: Promise<void> | null = null;
  return {
    begin: () => {
      current ??= act()
        .catch(failed)
        .finally(() => {
          current = null;
        });
    },
    ended: async () => {
      await current;
    },
  };
}

async function noteRefusals(client: Redis, campaign: string, note: (line: string) => void): Promise<void> {
  for (
    let text = await client.lpop(refusedKey(campaign));
    text !== null;
    text = await client.lpop(refusedKey(campaign))
  ) {
    const refusal = messageIn(WorkerRefusal, text);
    if (refusal === null) note('a worker sent an invalid refusal');
    else note(`worker ${refusal.worker} runs nothing of this campaign: ${refusal.why}`);
  }
}

/** Hashes our code and the versions of its packages, since a commit does not identify a clone with changes. */
export async function codeHash(): Promise<string> {
  const root = packageRoot();
  const code = path.join(import.meta.dirname, '..');
  const manifest = readFileSync(path.join(root, 'package.json'));
  const files = await hashTree({ places: [code, path.join(root, 'surfaces'), path.join(root, 'prompts')] });
  return hashJson({ files, manifest: sha256Hex(manifest) });
}
