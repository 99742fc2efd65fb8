import type { WebSocket } from 'ws';

/** Most that may wait in a gateway for all its clients in one direction, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Counts what waits for the clients of one gateway: what they have yet to read, or what has come of commands that are not
 * passed on yet. When that is too much, whoever has most of it is cut off.
 */
export class Backlog {
  readonly #bytes = new Map<WebSocket, number>();
  readonly #cut = new WeakSet<WebSocket>();
  #total = 0;

  set(client: WebSocket, bytes: number): void {
    this.grow(client, bytes - (this.#bytes.get(client) ?? 0));
  }

  /** Change the bytes that wait of a client by so many. */
  grow(client: WebSocket, bytes: number): void {
    if (this.#cut.has(client)) return;
    const left = (this.#bytes.get(client) ?? 0) + bytes;
    if (left > 0) this.#bytes.set(client, left);
    else this.#bytes.delete(client);
    this.#total += bytes;
    if (bytes > 0 && this.#total > MAX_BYTES) this.#cutOff();
  }

  #cutOff(): void {
    const [most, bytes] = [...this.#bytes].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    if (most === undefined || bytes === undefined) return;
    // It counts no more from here on: until it has closed, the next one to send would be cut off as well.
    this.#cut.add(most);
    this.#bytes.delete(most);
    this.#total -= bytes;
    most.terminate();
  }
}
