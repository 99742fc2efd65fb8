import { z } from 'zod';
import type { Guest, GuestCommand, GuestListener } from '../guest.ts';
import type { Switchboard } from '../switchboard.ts';
import { WorldView } from './world-view.ts';

interface VisitListener extends Omit<GuestListener, 'onRoom'> {
  onTaken(weight: number): void;
}

export const DOWNLOAD_EVENTS = ['Browser.downloadWillBegin', 'Browser.downloadProgress'] as const;

const Asked = z.object({ eventsEnabled: z.boolean().optional() });

/** Passes the judge's events of downloads on to the sessions of a client that ask for them. */
class DownloadEvents {
  readonly #sessions = new Set<string | undefined>();
  readonly #tell: (message: Buffer) => void;

  constructor(tell: (message: Buffer) => void) {
    this.#tell = tell;
  }

  asked({ method, sessionId, params }: GuestCommand): void {
    if (method !== 'Browser.setDownloadBehavior') return;
    const { data } = Asked.safeParse(JSON.parse(params));
    if (data?.eventsEnabled === true) this.#sessions.add(sessionId);
    else this.#sessions.delete(sessionId);
  }

  /** Leaves out where the file is: it is a folder of ours. */
  happened(method: (typeof DOWNLOAD_EVENTS)[number], params: object): void {
    for (const sessionId of this.#sessions) {
      this.#tell(Buffer.from(JSON.stringify({ method, params: { ...params, filePath: undefined }, sessionId })));
    }
  }
}

/** A client of a gateway at the browser. Its commands wait here until the browser lets it in and takes more. */
export class GatewayVisit {
  readonly #listener: VisitListener;
  readonly #waiting: { command: GuestCommand; weight: number }[] = [];
  readonly #admission: Promise<Guest | null>;
  #guest: Guest | null = null;
  readonly downloads: DownloadEvents;
  readonly view = new WorldView((command) => this.#guest?.send(command));

  /** @param targetId the target that the client has asked for; null for the browser itself */
  constructor(switchboard: Switchboard, targetId: string | null, listener: VisitListener) {
    this.#listener = listener;
    this.downloads = new DownloadEvents((message) => {
      listener.onMessage(message);
    });
    this.#admission = this.#enter(switchboard, targetId);
  }

  send(command: GuestCommand, weight: number): void {
    this.#waiting.push({ command, weight });
    this.#drain();
  }

  /** Resolves when the browser has ended what the client had begun in it. */
  async end(): Promise<void> {
    this.#waiting.length = 0;
    await (await this.#admission)?.leave();
  }

  async #enter(switchboard: Switchboard, targetId: string | null): Promise<Guest | null> {
    const onRoom = (): void => {
      this.#drain();
    };
    const onMessage = (message: Buffer): void => {
      const heard = this.view.hear(message);
      if (heard !== null) this.#listener.onMessage(heard);
    };
    try {
      this.#guest = await switchboard.admit({ ...this.#listener, onMessage, onRoom }, targetId);
      this.#drain();
      return this.#guest;
    } catch {
      this.#listener.onEnd();
      return null;
    }
  }

  #drain(): void {
    while (this.#guest?.hasRoom === true) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#guest.send(next.command);
      this.#listener.onTaken(next.weight);
    }
  }
}
