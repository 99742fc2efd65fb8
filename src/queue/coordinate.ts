import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { BlobStore } from '../bundle/blobs.ts';
import { messageOf } from '../contract/message-of.ts';
import { campaignText } from '../plan/campaign-file.ts';
import type { Remote } from '../run/campaign.ts';
import { codeHash } from './code-hash.ts';
import { PREFIX, type QueueConnection } from './connection.ts';
import { messageIn, type OpenCampaign, WorkerRefusal } from './messages.ts';
import { QueuedAttempts } from './queued-attempts.ts';

export interface CoordinateOptions {
  connection: QueueConnection;
  store: BlobStore;
  /** Most attempts that are in the queue or with a worker at once. */
  workers: number;
  /** Takes what the queue and its workers report, in words that others may have written. */
  note: (line: string) => void;
}

/** Seconds that a campaign stays open without a sign of its coordinator; and the time between two signs, in ms. */
const OPEN_S = 30;
const BEAT_MS = 5_000;
/** Beats after which the store gets the campaign again, as it also does when it lost it: a Redis forgets with time, or when it ends. */
const BEATS_TO_KEEP = 60;

export function openKey(campaign: string): string {
  return `${PREFIX}:open:${campaign}`;
}

/** The list of reasons why workers run nothing of a campaign. */
export function refusedKey(campaign: string): string {
  return `${PREFIX}:refused:${campaign}`;
}

/** Runs the attempts of a campaign through a queue. What an earlier run left in the queue is thrown away: the ledger has everything. */
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
      // From the first event, which is still to come.
      const events = new bullmq.QueueEvents(key, { ...shared, lastEventId: '0-0' });
      events.on('error', () => {});
      const attempts = new QueuedAttempts({ ...of, client, queue, store, key, note });
      attempts.listen(events);
      of.listener.phase?.('waiting for workers');
      const look = async (): Promise<void> => attempts.look();
      const stopBeating = beating({ client, store, open, note, keep: () => store.put(text), look });
      return {
        run: async (...attempt) => attempts.run(...attempt),
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
 * @returns the end of it
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
    await tellRefusals(client, open.campaign, note);
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

/** Begins work only when its last run has ended. */
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

async function tellRefusals(client: Redis, campaign: string, note: (line: string) => void): Promise<void> {
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
