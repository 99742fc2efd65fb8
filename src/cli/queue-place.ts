import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { fact } from '../messages/messages.ts';
import { connectTo, type QueueConnection } from '../queue/connection.ts';
import { queueAddress } from '../queue/queue-address.ts';
import { QueueError } from '../queue/queue-error.ts';
import { redisStore } from '../queue/stores.ts';
import { isS3Address, s3Address } from '../queue/s3-address.ts';
import { UsageError } from './exit-code.ts';

/** A connected queue, and the store for the records of episodes. */
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

/** Returns a QueueError for a command that Redis refuses, for example because it is full. */
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
