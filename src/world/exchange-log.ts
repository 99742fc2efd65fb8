import type { NetworkEntry } from '../contract/evidence.ts';

/** Longest request body that the log keeps, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

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
      request_body: body.byteLength === 0 ? null : Buffer.from(body.subarray(0, MAX_BODY_BYTES)).toString('utf8'),
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

  entries(): NetworkEntry[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }
}
