import { setTimeout } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type BlobStore, hashForBlob } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { safeSha256 } from '../bundle/layout.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { fact } from '../messages/messages.ts';
import { PREFIX } from './connection.ts';
import { QueueError } from './queue-error.ts';

/** Seconds after which Redis forgets a blob, whose attempt is then taken or lost. */
const KEPT_S = 900;

/** The hash of no bytes, which Redis returns for a missing key. */
const NOTHING = sha256Hex('');

/** Keeps blobs in the memory of the queue's Redis until the coordinator has them. */
export function redisStore(client: Redis): BlobStore {
  return {
    has: async (sha256) => (await client.exists(key(sha256))) === 1,
    async put(value) {
      const bytes = Buffer.from(value);
      const sha256 = hashForBlob(bytes);
      await client.set(key(sha256), bytes, 'EX', KEPT_S);
      return sha256;
    },
    async get(sha256) {
      // Redis accepts half a gigabyte.
      const bytes = await client.getrangeBuffer(key(sha256), 0, MAX_BYTES.blob);
      if (bytes.length > MAX_BYTES.blob)
        throw new BundleError(fact('store_blob_too_large', { blob: sha256, most: MAX_BYTES.blob }));
      const isMissing = bytes.length === 0 && sha256 !== NOTHING;
      return checked(isMissing ? null : bytes, sha256, 'the Redis of the queue');
    },
  };
}

function key(sha256: string): string {
  return `${PREFIX}:blob:${safeSha256(sha256)}`;
}

/**
 * Checks the hash of a blob from a store.
 * @throws BundleError `store_lacks_blob` or `store_blob_corrupt`
 */
export function checked(bytes: Buffer | null, sha256: string, store: string): Buffer {
  if (bytes === null) throw new BundleError(fact('store_lacks_blob', { blob: sha256, store }));
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new BundleError(fact('store_blob_corrupt', { blob: sha256 }));
}

/** Waits before each further try, in ms: half a minute in all. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Repeats a failed action while a store is out of reach.
 * @throws the error of the last try; a QueueError at once, since a store that throws one has been patient itself
 */
export async function patiently<T>(act: () => Promise<T>, waits: readonly number[] = WAITS_MS): Promise<T> {
  const [wait, ...rest] = waits;
  try {
    return await act();
  } catch (error) {
    if (wait === undefined || error instanceof QueueError) throw error;
    await setTimeout(wait);
    return await patiently(act, rest);
  }
}
