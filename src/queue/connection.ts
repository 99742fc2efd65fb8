import type * as bullmq from 'bullmq';
import type { Redis } from 'ioredis';
import { installedPackage } from '../process/packages.ts';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import type { QueueAddress } from './queue-address.ts';
import { QueueError } from './queue-error.ts';

/** Begins all keys that Touchstone uses in a Redis, so that its user needs access to no others. */
export const PREFIX = 'touchstone';

/** Longest wait before another try to reach a Redis that has answered before, in ms. */
const LONGEST_WAIT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** A Redis that answers, and the library for queues. */
export interface QueueConnection {
  client: Redis;
  bullmq: typeof bullmq;
  /** The address, to be printed. */
  shown: string;
  close(): void;
}

/**
 * Connects to a Redis. Once it has answered, it may go away and come back; commands wait meanwhile.
 * @param note receives a line when it stops answering, and when it answers again
 * @throws QueueError `queue_unreachable` or `queue_not_installed`
 */
export async function connectTo(address: QueueAddress, note: (line: string) => void): Promise<QueueConnection> {
  const { bullmq, Redis } = await load();
  const { host, port, db, username, password, tls, shown } = address;
  let state: 'connecting' | 'answers' | 'silent' | 'closed' = 'connecting';
  const client = endable(
    new Redis({
      host,
      port,
      db,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: {} } : {}),
      lazyConnect: true,
      maxRetriesPerRequest: null,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (times) => (state === 'connecting' ? null : Math.min(times * 100, LONGEST_WAIT_MS)),
    }),
  );
  const failures: string[] = [];
  client.on('error', (error) => {
    if (state === 'connecting') failures.push(messageOf(error));
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    client.disconnect();
    const why = failures[0] ?? messageOf(error);
    throw new QueueError(fact('queue_unreachable', { address: shown, why }), error);
  }
  state = 'answers';
  client.on('close', () => {
    if (state === 'answers') note(`${shown} does not answer; it is tried again`);
    if (state !== 'closed') state = 'silent';
  });
  client.on('ready', () => {
    if (state === 'silent') note(`${shown} answers again`);
    state = 'answers';
  });
  const close = (): void => {
    state = 'closed';
    client.disconnect();
  };
  return { client, bullmq, shown, close };
}

/**
 * Makes a client, and each duplicate of it, end when it is disconnected between two tries to reconnect. Without this, ioredis emits no
 * `end`, and a worker of BullMQ that closes waits for it forever.
 */
function endable(client: Redis): Redis {
  const disconnect = client.disconnect.bind(client);
  const duplicate = client.duplicate.bind(client);
  return Object.assign(client, {
    disconnect: (reconnect = false): void => {
      // A try that is cut off emits `end`, and rejects the commands that wait.
      if (client.status === 'reconnecting' && !reconnect) client.connect().catch(() => {});
      disconnect(reconnect);
    },
    duplicate: (override: { maxRetriesPerRequest?: null } = {}): Redis => endable(duplicate(override)),
  });
}

/** Loads optional packages, which only a queue needs. */
async function load(): Promise<{ bullmq: QueueConnection['bullmq']; Redis: typeof Redis }> {
  for (const name of ['bullmq', 'ioredis']) {
    const found = installedPackage(name);
    if ('missing' in found) throw new QueueError(fact('queue_not_installed', { package: name }));
  }
  const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
  return { bullmq, Redis: ioredis.Redis };
}
