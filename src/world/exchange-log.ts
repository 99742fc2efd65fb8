import type { NetworkEntry } from '../contract/evidence.ts';

/** Longest request body that is evidence, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** So much more is kept, so that a secret at the limit is redacted whole before the body is cut. */
const REDACTION_MARGIN_BYTES = 16 * 1024;

/** The world's own record of what was asked of it and what it answered. */
export class ExchangeLog {
  readonly #entries: NetworkEntry[] = [];

  /** Notes a request, in the order in which they were received whole; the returned function notes the status of its response. */
  begin(method: string, url: string, body: Uint8Array): (status: number) => void {
    const entry: NetworkEntry = {
      seq: this.#entries.length,
      method,
      url,
      status: null,
      request_body: body.byteLength === 0 ? null : text(body, MAX_BODY_BYTES + REDACTION_MARGIN_BYTES),
      request_body_truncated: body.byteLength > MAX_BODY_BYTES,
    };
    this.#entries.push(entry);
    return (status) => {
      entry.status = status;
    };
  }

  /** The `seq` that the next request will have. */
  get next(): number {
    return this.#entries.length;
  }

  /** Copies, with bodies that {@link withCutBody} has yet to cut. */
  entries(): NetworkEntry[] {
    return this.#entries.map((entry) => ({ ...entry }));
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
