import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Captured,
  isCredentialHeader,
  type KeptExchange,
  missing,
  type NetworkEntry,
  present,
} from '../contract/evidence.ts';
import { isSecretHeader } from './outside-app/judge-secret.ts';

/** Where pages of any origin find the files of NAC3. */
const FOLDER = '/nac3/';
const MANIFEST = 'manifest.json';

/** The files of NAC3 that an episode's pages were served; null: none, or not the same each time. */
export interface Nac3Served {
  /** First 12 hexadecimal digits of the manifest file's SHA-256, as `sha256sum manifest.json | head -c 12` prints them. */
  manifestChecksum: string | null;
  /** SHA-256 over the runtime's modules, as `sha256sum *.js | sha256sum` prints it in their folder. */
  runtimeHash: string | null;
}

/** Hashes of the very bytes that pages were served from `/nac3/`. */
export class Nac3Files {
  readonly #hashes = new Map<string, Set<string>>();

  /** Whether a response is such a file, whole. */
  static holds(method: string, url: string, status: number): boolean {
    return method === 'GET' && status === 200 && nameOf(url) !== null;
  }

  static isManifest(url: string): boolean {
    return nameOf(url) === MANIFEST;
  }

  note(url: string, bytes: Uint8Array): void {
    const name = nameOf(url);
    if (name === null) return;
    const known = this.#hashes.get(name) ?? new Set();
    this.#hashes.set(name, known.add(createHash('sha256').update(bytes).digest('hex')));
  }

  served(): Nac3Served {
    const modules = [...this.#hashes].filter(([name]) => name.endsWith('.js')).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lines = modules.flatMap(([name, hashes]) => [...hashes].map((hash) => `${hash}  ${name}\n`));
    const isOne = modules.length > 0 && lines.length === modules.length;
    const [manifest, ...others] = this.#hashes.get(MANIFEST) ?? [];
    return {
      manifestChecksum: manifest === undefined || others.length > 0 ? null : manifest.slice(0, 12),
      runtimeHash: isOne ? createHash('sha256').update(lines.join('')).digest('hex') : null,
    };
  }
}

/** The name of a module or manifest right in the folder; null for everything else. */
function nameOf(url: string): string | null {
  const { pathname } = new URL(url);
  const name = pathname.startsWith(FOLDER) ? pathname.slice(FOLDER.length) : '';
  return !name.includes('/') && (name === MANIFEST || name.endsWith('.js')) ? name : null;
}

/** Longest body that is evidence, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** The margin lets a secret at the limit be redacted whole before the body is cut. */
const MAX_KEPT_BYTES = MAX_BODY_BYTES + 16 * 1024;
/** Most bytes of request bodies that are kept in all, and of the rest of whole exchanges; of later ones nothing is, and they count as cut. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Most bytes of methods and addresses that are kept in all; a log of more is not evidence. */
const MAX_ADDRESS_BYTES = 16 * 1024 * 1024;
/** Most requests of one episode, likewise. */
export const MAX_REQUESTS = 50_000;

/** The world's own record of its requests and answers. */
export class ExchangeLog {
  readonly nac3 = new Nac3Files();
  readonly #entries: NetworkEntry[] = [];
  #requests = 0;
  #bytesLeft = MAX_BYTES;
  #wholeBytesLeft = MAX_BYTES;
  #addressBytesLeft = MAX_ADDRESS_BYTES;
  readonly #onChange: () => void;
  readonly #isWhole: boolean;

  /** @param isWhole whether it keeps headers and the bodies of responses */
  constructor(onChange: () => void = () => {}, isWhole = false) {
    this.#onChange = onChange;
    this.#isWhole = isWhole;
  }

  /** Notes a request, in the order in which they were received whole; `finish` notes the status of its response. */
  begin(
    method: string,
    url: string,
    body: Uint8Array,
    headers: IncomingHttpHeaders = {},
  ): { seq: number; finish: (status: number) => void } {
    // Of a body without room nothing is kept: half a secret would not be found.
    const taken = Math.min(body.byteLength, MAX_KEPT_BYTES);
    const hasRoom = taken <= this.#bytesLeft;
    const entry: NetworkEntry = {
      seq: this.#requests,
      method,
      url,
      status: null,
      request_body: body.byteLength === 0 ? null : text(body, hasRoom ? taken : 0),
      request_body_truncated: body.byteLength > MAX_BODY_BYTES || !hasRoom,
    };
    this.#requests += 1;
    if (hasRoom) this.#bytesLeft -= taken;
    this.#addressBytesLeft -= Buffer.byteLength(method) + Buffer.byteLength(url);
    const kept = this.#headersKept(Object.entries(headers));
    if (kept !== null) entry.kept = { request_headers: kept, response: null };
    if (this.#problem === null) this.#entries.push(entry);
    this.#onChange();
    return {
      seq: entry.seq,
      finish: (status) => {
        entry.status = status;
      },
    };
  }

  /** Keeps the headers of a response, and its body while it is sent. */
  keep(seq: number, response: Response): Response {
    const { kept } = this.#entries[seq] ?? {};
    const headers = kept === undefined ? null : this.#headersKept(response.headers);
    if (kept === undefined || headers === null) return response;
    const part: NonNullable<KeptExchange['response']> = { headers, body: null, truncated: response.body !== null };
    kept.response = part;
    if (response.body === null || !isText(response.headers)) return response;
    const chunks: Uint8Array[] = [];
    let length = 0;
    let hasRoom = true;
    const noting = new TransformStream<Uint8Array | string, Uint8Array>({
      transform: (chunk, controller) => {
        // The stream of an app may hold text.
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        const taken = new Uint8Array(bytes.subarray(0, Math.max(0, MAX_KEPT_BYTES - length)));
        hasRoom &&= taken.byteLength <= this.#wholeBytesLeft;
        if (hasRoom) {
          this.#wholeBytesLeft -= taken.byteLength;
          chunks.push(taken);
        }
        length += bytes.byteLength;
        controller.enqueue(bytes);
      },
      flush: () => {
        if (hasRoom) part.body = text(Buffer.concat(chunks), MAX_KEPT_BYTES);
        part.truncated = length > MAX_BODY_BYTES || !hasRoom;
      },
    });
    return new Response(response.body.pipeThrough(noting), response);
  }

  /** Null if they are not to be kept, or the log is full. */
  #headersKept(headers: Iterable<[string, string | string[] | undefined]>): KeptHeaders | null {
    if (!this.#isWhole) return null;
    const kept = [...headers].flatMap(([name, value = []]) =>
      name.startsWith(':') || isSecretHeader(name) ? [] : [value].flat().map((each) => keptHeader(name, each)),
    );
    const bytes = Buffer.byteLength(JSON.stringify(kept));
    if (bytes > this.#wholeBytesLeft) return null;
    this.#wholeBytesLeft -= bytes;
    return kept;
  }

  get #problem(): string | null {
    if (this.#requests > MAX_REQUESTS) return `there were more than ${MAX_REQUESTS} requests, too many to keep`;
    return this.#addressBytesLeft < 0 ? `the addresses asked for are longer than ${MAX_ADDRESS_BYTES} bytes` : null;
  }

  /** The `seq` that the next request will have. */
  get next(): number {
    return this.#requests;
  }

  /** The exchanges so far, with bodies that {@link withCutBody} has yet to cut, and the `seq` that the next request will have. */
  captured(): Captured<{ entries: NetworkEntry[]; next: number }> {
    if (this.#problem !== null) return missing(this.#problem);
    return present({ entries: structuredClone(this.#entries), next: this.#requests });
  }
}

type KeptHeaders = KeptExchange['request_headers'];

function keptHeader(name: string, value: string): KeptHeaders[number] {
  return { name: name.toLowerCase(), value: isCredentialHeader(name) ? null : value };
}

/** Whether a body can be read as it is sent. */
function isText(headers: Headers): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(/\s*;/, 1);
  return !headers.has('content-encoding') && /^text\/(?!event-stream)|json$|[/+]xml$|urlencoded$/.test(type);
}

/** An entry for evidence. To be read once secrets are out of it: half a secret would not be found. */
export function withCutBody({ kept, ...entry }: NetworkEntry): NetworkEntry {
  const { request_body: body, request_body_truncated: isCut } = entry;
  const whole = { ...entry, request_body: body === null || !isCut ? body : cut(body) };
  if (kept === undefined) return whole;
  const { response } = kept;
  if (response === null || response.body === null || !response.truncated) return { ...whole, kept };
  return { ...whole, kept: { ...kept, response: { ...response, body: cut(response.body) } } };
}

function cut(body: string): string {
  return text(Buffer.from(body), MAX_BODY_BYTES);
}

function text(body: Uint8Array, limit: number): string {
  return Buffer.from(body.subarray(0, limit)).toString('utf8');
}
