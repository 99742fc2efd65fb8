import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { BlobStore } from '../bundle/blobs.ts';
import { messageOf } from '../contract/message-of.ts';
import { parsePlainly } from '../contract/validation/problem.ts';
import { campaignText } from '../plan/campaign-file.ts';
import type { AttemptRunner } from '../run/attempt-runner.ts';
import type { Elsewhere } from '../run/run-campaign.ts';
import { codeHash } from './code-hash.ts';
import { PREFIX, type QueueConnection } from './connection.ts';
import { type OpenCampaign, WorkerRefusal } from './messages.ts';
import { QueuedAttempts } from './queued-attempts.ts';

export interface CoordinateOptions {
  connection: QueueConnection;
  store: BlobStore;
  /** Most attempts that are in the queue or with a worker at once. */
  workers: number;
  /** Is told what the queue and its workers have to say, in words that others may have written. */
  note: (line: string) => void;
}

/** Seconds that a campaign stays open without a word of its coordinator; and between two such words, in ms. */
const OPEN_S = 30;
const BEAT_MS = 5_000;
/** Number of beats after which the store is given the campaign again, and whenever it has it not: a Redis forgets with time, or with its end. */
const BEATS_TO_KEEP = 60;

export function openKey(campaign: string): string {
  return `${PREFIX}:open:${campaign}`;
}

/** The list of what workers say who run nothing of a campaign. */
export function refusedKey(campaign: string): string {
  return `${PREFIX}:refused:${campaign}`;
}

/** Runs the attempts of a campaign through a queue. What lies in the queue from an earlier run of it is thrown away: the ledger has all. */
export function throughQueue({ connection, store, workers, note }: CoordinateOptions): Elsewhere {
  return {
    workers,
    async run(of, run) {
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
      // From the beginning of what is told of it, which is now.
      const events = new bullmq.QueueEvents(key, { ...shared, lastEventId: '0-0' });
      events.on('error', () => {});
      const attempts = new QueuedAttempts({ ...of, client, queue, store, key, note });
      attempts.listen(events);
      of.listener.phase?.('waiting for workers');
      const look = async (): Promise<void> => attempts.look();
      const stopBeating = beating({ client, store, open, note, keep: () => store.put(text), look });
      try {
        return await run(Array.from({ length: workers }, (): AttemptRunner => attempts));
      } finally {
        await stopBeating();
        await client.del(openKey(key));
        await queue.obliterate({ force: true });
        await events.close();
        await queue.close();
      }
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
 * Says again and again that the campaign is open, and hears what workers say. A store that is away does not keep it from that.
 * Returns what ends it.
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

/** Keeps what is begun again and again from being done twice at once. */
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
    const refusal = parsePlainly(WorkerRefusal, json(text));
    if (refusal.ok) note(`worker ${refusal.value.worker} runs nothing of this campaign: ${refusal.value.why}`);
    else note('a worker said what is no refusal');
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
