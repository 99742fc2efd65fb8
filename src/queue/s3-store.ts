import { setTimeout } from 'node:timers/promises';
import type { AwsClient } from 'aws4fetch';
import { type BlobStore, hashForBlob } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { safeSha256 } from '../bundle/layout.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import { installedPackage } from '../process/packages.ts';
import { QueueError } from './queue-error.ts';
import type { S3Address } from './s3-address.ts';
import { checked } from './stores.ts';

export interface S3Options {
  /** Receives a line when the store goes away, and when it is back. */
  note: (line: string) => void;
  maxBytes?: number;
  /** Longest time to wait for a store that has answered before. */
  patienceMs?: number;
}

const PATIENCE_MS = 300_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
/** Longest time for a request: a blob of 64 MB at 9 Mbit/s. */
const TIMEOUT_MS = 60_000;
/** Most bytes of an answer without a blob. */
const MAX_ANSWER = 64 * 1_024;
/** The hash of a blob that does not exist. */
const NOTHING = '0'.repeat(64);

/**
 * Keeps blobs in a bucket of S3 or of a compatible store: each is an object named by its SHA-256. aws4fetch signs the requests:
 * AWS's own client has 22 MB, loads in a second instead of 30 ms, and warns on the Node 20 that we support.
 * @throws QueueError when it cannot be used; a store that has answered may be away for a while
 */
export async function openS3Store(address: S3Address, options: S3Options): Promise<BlobStore> {
  const { maxBytes = MAX_BYTES.blob } = options;
  const bucket = new Bucket(address, await clientFor(address), options);
  // S3 reports a missing object only to users who may list the bucket; others are forbidden.
  await bucket.ask({ method: 'GET', key: `${address.prefix}${NOTHING}` }, MAX_ANSWER);
  const key = (sha256: string): string => `${address.prefix}${safeSha256(sha256)}`;
  const has = async (sha256: string): Promise<boolean> =>
    (await bucket.ask({ method: 'HEAD', key: key(sha256) }, MAX_ANSWER)) !== null;
  return {
    has,
    async put(value) {
      const bytes = Buffer.from(value);
      const sha256 = hashForBlob(bytes, maxBytes);
      if (!(await has(sha256))) await bucket.ask({ method: 'PUT', key: key(sha256), bytes, sha256 }, MAX_ANSWER);
      return sha256;
    },
    async get(sha256) {
      const bytes = await bucket.ask({ method: 'GET', key: key(sha256) }, maxBytes);
      if (bytes === null || bytes.length <= maxBytes) return checked(bytes, sha256, address.shown);
      throw new BundleError(fact('store_blob_too_large', { blob: sha256, most: maxBytes }));
    },
  };
}

async function clientFor({ keys, region }: S3Address): Promise<AwsClient> {
  if ('missing' in installedPackage('aws4fetch')) throw new QueueError(fact('store_not_installed'));
  const aws4fetch = await import('aws4fetch');
  return new aws4fetch.AwsClient({ ...keys, region, service: 's3' });
}

type Asked = { method: 'GET' | 'HEAD'; key: string } | { method: 'PUT'; key: string; bytes: Buffer; sha256: string };

/** A failure that may soon pass. */
class Away extends Error {}

class Bucket {
  readonly #address: S3Address;
  readonly #client: AwsClient;
  readonly #note: (line: string) => void;
  readonly #patienceMs: number;
  #hasAnswered = false;
  #isAway = false;

  constructor(address: S3Address, client: AwsClient, { note, patienceMs = PATIENCE_MS }: S3Options) {
    this.#address = address;
    this.#client = client;
    this.#note = note;
    this.#patienceMs = patienceMs;
  }

  /** Returns the object, cut somewhere after `maxBytes` if it is longer; null if it does not exist. */
  async ask(asked: Asked, maxBytes: number): Promise<Buffer | null> {
    const { method, key } = asked;
    const url = `${this.#address.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
    // The store checks the bytes against this header.
    const sent = method === 'PUT' ? { body: asked.bytes, headers: { 'X-Amz-Content-Sha256': asked.sha256 } } : {};
    return await this.#patiently(url, { method, ...sent }, maxBytes);
  }

  /** Repeats a request until it succeeds. A store that has never answered is asked once, since its address may be wrong. */
  async #patiently(url: string, init: RequestInit, maxBytes: number): Promise<Buffer | null> {
    const until = performance.now() + this.#patienceMs;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        const answer = await this.#once(url, init, maxBytes);
        this.#isBack();
        return answer;
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        if (!this.#hasAnswered || performance.now() + wait > until) throw this.#unreachable(error);
        this.#goesAway(error);
        await setTimeout(wait);
      }
    }
  }

  /** @throws Away, or QueueError if a repetition cannot help */
  async #once(url: string, init: RequestInit, maxBytes: number): Promise<Buffer | null> {
    const request = await this.#client.sign(url, init);
    try {
      // A redirect could send the signed request elsewhere.
      const response = await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      this.#hasAnswered = true;
      if (response.ok) return await bytesOf(response, maxBytes);
      const answer = (await bytesOf(response, MAX_ANSWER)).toString('latin1');
      const code = /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(answer)?.[1];
      const isMissing = init.method === 'HEAD' || (init.method === 'GET' && code === 'NoSuchKey');
      if (response.status === 404 && isMissing) return null;
      throw this.#refusal(response.status, code);
    } catch (error) {
      if (error instanceof QueueError || error instanceof Away) throw error;
      throw new Away(whyOf(error), { cause: error });
    }
  }

  #refusal(status: number, code: string | undefined): Error {
    const answer = code === undefined ? `${status}` : `${status} ${code}`;
    if (status >= 500 || status === 429 || status === 408) return new Away(answer);
    const store = this.#address.shown;
    if (code === 'NoSuchBucket') return new QueueError(fact('store_no_bucket', { store }));
    const found = REFUSALS.find(({ codes, statuses }) => codes.test(code ?? '') || statuses.includes(status));
    return new QueueError(fact(found?.fact ?? 'store_refuses', { store, answer }));
  }

  #unreachable({ message, cause }: Away): QueueError {
    return new QueueError(fact('store_unreachable', { store: this.#address.shown, why: message }), cause);
  }

  #goesAway({ message }: Away): void {
    if (!this.#isAway) this.#note(`${this.#address.shown} is away (${message}); it is tried again`);
    this.#isAway = true;
  }

  #isBack(): void {
    if (this.#isAway) this.#note(`${this.#address.shown} is back`);
    this.#isAway = false;
  }
}

interface Refusal {
  codes: RegExp;
  statuses: readonly number[];
  fact: 'store_clock' | 'store_elsewhere' | 'store_refuses_keys';
}

const REFUSALS: readonly Refusal[] = [
  { codes: /^RequestTimeTooSkewed$/, statuses: [], fact: 'store_clock' },
  {
    codes: /^(?:PermanentRedirect|AuthorizationHeaderMalformed)$/,
    statuses: [301, 302, 303, 307, 308],
    fact: 'store_elsewhere',
  },
  { codes: /^(?:ExpiredToken|InvalidToken)$/, statuses: [401, 403], fact: 'store_refuses_keys' },
];

/** Reads until the limit is exceeded, however long the answer is. */
async function bytesOf({ body }: Response, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(pieces);
}

/** Returns the cause, since `fetch` itself reports only that it failed. */
function whyOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return [code, messageOf(cause)].find((text) => text !== '') ?? 'it does not answer';
}
