import type { Redis } from 'ioredis';
import type { BlobStore } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { safeSha256 } from '../bundle/layout.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { PREFIX } from './connection.ts';

/** Seconds after which Redis forgets a blob. What is older belongs to an attempt that the coordinator has, or has given up. */
const KEPT_S = 900;

/** Keeps blobs in the memory of the queue's own Redis, for as long as an attempt takes to come from a worker to its coordinator. */
export function redisStore(client: Redis): BlobStore {
  return {
    has: async (sha256) => (await client.exists(key(sha256))) === 1,
    async put(value) {
      const bytes = Buffer.from(value);
      const sha256 = sha256Hex(bytes);
      if (bytes.length > MAX_BYTES.blob) {
        const remedy = 'name another place with --store';
        throw new BundleError('too_large', `blob ${sha256} holds ${bytes.length} bytes`, remedy);
      }
      await client.set(key(sha256), bytes, 'EX', KEPT_S);
      return sha256;
    },
    async get(sha256) {
      const bytes = await client.getBuffer(key(sha256));
      if (bytes === null) {
        const remedy = 'give worker and coordinator the same --queue and --store';
        throw new BundleError('blob_missing', `blob ${sha256} is not in the Redis of the queue`, remedy);
      }
      if (sha256Hex(bytes) === sha256) return bytes;
      const remedy = 'find out who else writes there';
      throw new BundleError('blob_corrupt', `blob ${sha256} holds other bytes than its name says`, remedy);
    },
  };
}

function key(sha256: string): string {
  return `${PREFIX}:blob:${safeSha256(sha256)}`;
}
