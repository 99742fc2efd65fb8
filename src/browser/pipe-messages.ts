import { errorReply, idOf, sessionOf } from './envelope.ts';

const END = 0;
/** Bytes kept of each end of an oversized message: enough to find its session and id. */
const KEPT_BYTES = 256;

/**
 * Splits a stream of bytes into NUL-terminated messages. An oversized message is skipped and the stream goes on, since many clients
 * share the pipe.
 */
export class PipeMessages {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The beginning of an oversized message whose end has not arrived. */
  #oversized: Buffer | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the messages that end in this chunk; an oversized reply becomes an error. */
  take(chunk: Buffer): Buffer[] {
    const whole: Buffer[] = [];
    let from = 0;
    for (let to = chunk.indexOf(END); to !== -1; to = chunk.indexOf(END, from)) {
      this.#add(chunk.subarray(from, to));
      const message = this.#end();
      if (message !== null) whole.push(message);
      from = to + 1;
    }
    this.#add(chunk.subarray(from));
    return whole;
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxBytes && this.#oversized === null) return;
    const kept = Buffer.concat(this.#parts);
    this.#oversized ??= Buffer.from(kept.subarray(0, KEPT_BYTES));
    this.#parts = [Buffer.from(kept.subarray(-KEPT_BYTES))];
  }

  #end(): Buffer | null {
    const [first, ...others] = this.#parts;
    const message = first === undefined || others.length > 0 ? Buffer.concat(this.#parts) : first;
    const begun = this.#oversized;
    this.#parts = [];
    this.#bytes = 0;
    this.#oversized = null;
    return begun === null ? message : errorFor(begun, message, this.#maxBytes);
  }
}

/** Null unless the oversized message is a reply. */
function errorFor(begun: Buffer, ended: Buffer, maxBytes: number): Buffer | null {
  const id = idOf(begun);
  return id === null ? null : errorReply(id, sessionOf(ended), `the reply is longer than ${maxBytes} bytes`);
}
