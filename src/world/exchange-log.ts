import { Nac3Files } from './nac3-files.ts';
import { type Captured, missing, type NetworkEntry, present } from '../contract/evidence.ts';

/** Longest request body that is evidence, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** So much more is kept, so that a secret at the limit is redacted whole before the body is cut. */
const REDACTION_MARGIN_BYTES = 16 * 1024;
/** Most bytes of bodies that are kept in all; of later ones nothing is, and they count as cut. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Most bytes of methods and addresses that are kept in all; a log that has had more is no evidence. */
const MAX_ADDRESS_BYTES = 16 * 1024 * 1024;
/** Most requests of one episode, likewise. */
export const MAX_REQUESTS = 50_000;

/** The world's own record of what was asked of it and what it answered. */
export class ExchangeLog {
  readonly nac3 = new Nac3Files();
  readonly #entries: NetworkEntry[] = [];
  #requests = 0;
  #bytesLeft = MAX_BYTES;
  #addressBytesLeft = MAX_ADDRESS_BYTES;

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

/** An entry as evidence has it. To be asked once secrets are out of it: half a secret would not be found. */
export function withCutBody(entry: NetworkEntry): NetworkEntry {
  if (entry.request_body === null || !entry.request_body_truncated) return entry;
  return { ...entry, request_body: text(Buffer.from(entry.request_body), MAX_BODY_BYTES) };
}

function text(body: Uint8Array, limit: number): string {
  return Buffer.from(body.subarray(0, limit)).toString('utf8');
}
