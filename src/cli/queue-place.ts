import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { connectTo, type QueueConnection } from '../run/queue/connection.ts';
import { queueAddress } from '../run/queue/queue-address.ts';
import { redisStore } from '../run/queue/redis-store.ts';

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
  const connection = await connectTo(queueAddress(queue, process.env), note);
  try {
    return await use({ connection, store: store === undefined ? redisStore(connection.client) : openBlobs(store) });
  } finally {
    connection.close();
  }
}
