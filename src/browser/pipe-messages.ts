import { errorReply, idOf, sessionOf } from './envelope.ts';

const END = 0;
/** So much is kept of either end of a message that is too long: enough to find its session and number. */
const KEPT_BYTES = 256;

/**
 * Takes messages, each of which ends with NUL, out of a stream of bytes. Of one that is too long its end is waited for and
 * nothing kept: many share a pipe, and what one of them provokes is not to be the end of the others.
 */
export class PipeMessages {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The beginning of what is too long, while its end has not come. */
  #tooLong: Buffer | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that end in this chunk; a reply that was too long becomes an error. */
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
    if (this.#bytes <= this.#maxBytes && this.#tooLong === null) return;
    const kept = Buffer.concat(this.#parts);
    this.#tooLong ??= Buffer.from(kept.subarray(0, KEPT_BYTES));
    this.#parts = [Buffer.from(kept.subarray(-KEPT_BYTES))];
  }

  #end(): Buffer | null {
    const [first, ...others] = this.#parts;
    const message = first === undefined || others.length > 0 ? Buffer.concat(this.#parts) : first;
    const begun = this.#tooLong;
    this.#parts = [];
    this.#bytes = 0;
    this.#tooLong = null;
    return begun === null ? message : this.#inPlaceOf(begun, message);
  }

  #inPlaceOf(begun: Buffer, ended: Buffer): Buffer | null {
    const id = idOf(begun);
    return id === null ? null : errorReply(id, sessionOf(ended), `the reply is longer than ${this.#maxBytes} bytes`);
  }
}
