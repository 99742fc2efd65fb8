import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { fact } from '../messages/messages.ts';
import { connectTo, type QueueConnection } from '../queue/connection.ts';
import { queueAddress } from '../queue/queue-address.ts';
import { QueueError } from '../queue/queue-error.ts';
import { redisStore } from '../queue/stores.ts';
import { isS3Address, s3Address } from '../queue/s3-address.ts';
import { UsageError } from './exit-code.ts';
import { z } from 'zod';
import { numeric, PathValue } from './planning-options.ts';

/** A queue that answers, and where what episodes leave goes from workers to their coordinator. */
export interface QueuePlace {
  connection: QueueConnection;
  store: BlobStore;
}

/** Connects to a queue for as long as `use` lasts. @throws QueueError when it cannot be used */
export async function withQueue<T>(
  { queue, store }: { queue: string; store: string | undefined },
  note: (line: string) => void,
  use: (place: QueuePlace) => Promise<T>,
): Promise<T> {
  const address = queueAddress(queue, process.env);
  const named = store === undefined ? null : await storeAt(store, note);
  const connection = await connectTo(address, note);
  try {
    return await use({ connection, store: named ?? redisStore(connection.client) });
  } catch (error) {
    throw refusalOf(connection, error);
  } finally {
    connection.close();
  }
}

/** Says whose failure it is that a Redis refuses what it is told, as one does that is full, or where this user may not do it. */
function refusalOf({ shown }: QueueConnection, error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return error;
  return new QueueError(fact('queue_refuses', { address: shown, why: error.message }), error);
}

async function storeAt(address: string, note: (line: string) => void): Promise<BlobStore> {
  if (isS3Address(address)) {
    const place = s3Address(address, process.env);
    const { openS3Store } = await import('../queue/s3-store.ts');
    return await openS3Store(place, { note });
  }
  if (!/^(?:[a-z][a-z0-9+.-]*:\/\/|(?:s3|file):)/i.test(address)) return openBlobs(address);
  throw new UsageError(fact('store_unknown'));
}

/** Those of a campaign whose episodes are run on other machines, and of the workers there. */
export const QUEUE_OPTIONS = {
  queue: PathValue.optional().meta({
    group: 'Where it runs',
    flags: '--queue <address>',
    help: 'the Redis or Valkey through which workers get episodes: redis://host:port, or rediss:// with TLS; user and password from TOUCHSTONE_QUEUE_USER and TOUCHSTONE_QUEUE_PASSWORD',
  }),
  store: PathValue.optional().meta({
    group: 'Where it runs',
    flags: '--store <place>',
    help: 'where coordinator and workers keep the evidence of episodes: a folder that they share, or s3://bucket/prefix with keys, region and endpoint from the variables of AWS (default: the memory of the queue)',
  }),
  lostAfter: numeric(z.int().min(2).max(3_600)).default(30).meta({
    group: 'Where it runs',
    flags: '--lost-after <seconds>',
    help: 'after this long without a sign of life a worker is lost, and its episodes run again',
    shown: '30',
  }),
  idle: numeric(z.int().min(1).max(1_000_000)).optional().meta({
    group: 'Where it runs',
    flags: '--idle <seconds>',
    help: 'end after this long with nothing to run (default: never)',
  }),
};
