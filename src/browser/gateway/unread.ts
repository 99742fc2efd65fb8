import type { WebSocket } from 'ws';

/** Most that may be on its way to the clients of a gateway, in bytes. */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;

/** Counts what the clients of one gateway have yet to read. When that is too much, whoever has most to read is cut off. */
export class Unread {
  readonly #bytes = new Map<WebSocket, number>();
  #total = 0;

  /** @returns says that it has been read */
  add(client: WebSocket, bytes: number): () => void {
    this.#count(client, bytes);
    if (this.#total > MAX_UNREAD_BYTES) this.#cutOff();
    return () => {
      this.#count(client, -bytes);
    };
  }

  #count(client: WebSocket, bytes: number): void {
    const left = (this.#bytes.get(client) ?? 0) + bytes;
    if (left > 0) this.#bytes.set(client, left);
    else this.#bytes.delete(client);
    this.#total += bytes;
  }

  #cutOff(): void {
    const [slowest] = [...this.#bytes].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    slowest?.terminate();
  }
}
