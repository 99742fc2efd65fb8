import { once } from 'node:events';
import { WebSocket } from 'ws';

export class RawClient {
  readonly socket: WebSocket;
  readonly closed: Promise<unknown>;
  /** The ids of the replies, in the order in which they came; those of errors are negative. */
  readonly replies: number[] = [];
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = once(socket, 'close');
    socket.on('message', (data: Buffer) => {
      const { id, error } = JSON.parse(data.toString('utf8'));
      if (id !== undefined) this.replies.push(error === undefined ? id : -id);
    });
  }

  static async connect(address: string): Promise<RawClient> {
    const client = new RawClient(new WebSocket(address));
    await once(client.socket, 'open');
    return client;
  }

  send(method: string, params = {}): void {
    this.#lastId += 1;
    this.socket.send(JSON.stringify({ id: this.#lastId, method, params }));
  }

  heard(event: string): Promise<void> {
    return new Promise((resolve) => {
      this.socket.on('message', (data: Buffer) => {
        if (JSON.parse(data.toString('utf8')).method === event) resolve();
      });
    });
  }

  /** Resolves when there are this many replies, or none can come any more: a page that closes takes its socket with it. */
  async settled(count: number): Promise<readonly number[]> {
    while (this.replies.length < count && this.socket.readyState === WebSocket.OPEN) {
      await Promise.race([once(this.socket, 'message'), this.closed]);
    }
    return this.replies;
  }
}
