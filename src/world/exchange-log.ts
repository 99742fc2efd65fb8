import { createHash } from 'node:crypto';
import { type Captured, missing, type NetworkEntry, present } from '../contract/evidence.ts';

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

/** Longest request body that is evidence, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** So much more is kept, so that a secret at the limit is redacted whole before the body is cut. */
const REDACTION_MARGIN_BYTES = 16 * 1024;
/** Most bytes of bodies that are kept in all; of later ones nothing is, and they count as cut. */
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
  #addressBytesLeft = MAX_ADDRESS_BYTES;
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  /** Notes a request, in the order in which they were received whole; the returned function notes the status of its response. */
  begin(method: string, url: string, body: Uint8Array): (status: number) => void {
    const limit = Math.min(MAX_BODY_BYTES + REDACTION_MARGIN_BYTES, this.#bytesLeft);
    const entry: NetworkEntry = {
      seq: this.#requests,
      method,
      url,
      status: null,
      request_body: body.byteLength === 0 ? null : text(body, limit),
      request_body_truncated: body.byteLength > Math.min(MAX_BODY_BYTES, limit),
    };
    this.#requests += 1;
    this.#bytesLeft -= Math.min(body.byteLength, limit);
    this.#addressBytesLeft -= Buffer.byteLength(method) + Buffer.byteLength(url);
    if (this.#problem === null) this.#entries.push(entry);
    this.#onChange();
    return (status) => {
      entry.status = status;
    };
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
    return present({ entries: this.#entries.map((entry) => ({ ...entry })), next: this.#requests });
  }
}

/** An entry for evidence. To be read once secrets are out of it: half a secret would not be found. */
export function withCutBody(entry: NetworkEntry): NetworkEntry {
  if (entry.request_body === null || !entry.request_body_truncated) return entry;
  return { ...entry, request_body: text(Buffer.from(entry.request_body), MAX_BODY_BYTES) };
}

function text(body: Uint8Array, limit: number): string {
  return Buffer.from(body.subarray(0, limit)).toString('utf8');
}
