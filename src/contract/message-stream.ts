import { StringDecoder } from 'node:string_decoder';

/** Splits a stream of bytes into messages, one a line. */
export class MessageStream {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #rest: string[] = [];
  #length = 0;

  /** @param maxLength in UTF-16 code units; a sender can write without end */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The messages that end in this chunk; null once one is too long, and nothing can follow. */
  take(chunk: Buffer): string[] | null {
    const [first = '', ...others] = this.#decoder.write(chunk).split('\n');
    const whole: string[] = [];
    this.#add(first);
    for (const other of others) {
      whole.push(this.#rest.join(''));
      this.#rest = [];
      this.#length = 0;
      this.#add(other);
    }
    return this.#length > this.#maxLength ? null : whole;
  }

  #add(part: string): void {
    this.#rest.push(part);
    this.#length += part.length;
  }
}
