import type http from 'node:http';
import type { Standing } from './standing.ts';
import type { FollowedBundle } from './followed-bundle.ts';

/** Most streams that are open at once. Each is a tab of a browser. */
const MOST = 32;

/** Tells each page that is open how far a campaign has come, as server-sent events. */
export class ChangeStream {
  readonly #followed: FollowedBundle;
  #open = 0;

  constructor(followed: FollowedBundle) {
    this.#followed = followed;
  }

  /** Whether one more may listen. */
  get hasRoom(): boolean {
    return this.#open < MOST;
  }

  /** Tells what is so now, and each change, until the other side or the campaign ends. */
  stream(response: http.ServerResponse, headers: Record<string, string>): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
    const tell = (standing: Standing): void => {
      const isOver = this.#followed.isOver;
      response.write(`data: ${JSON.stringify({ ...standing, isOver })}\n\n`);
      if (isOver) response.end();
    };
    const release = this.#followed.subscribe(tell);
    this.#open += 1;
    response.once('close', () => {
      release();
      this.#open -= 1;
    });
    tell(this.#followed.standing);
  }
}
