import { CdpConnection } from '../../src/browser/cdp.ts';
import { Observer } from '../../src/browser/observer.ts';
import { Switchboard, type SwitchboardLimits } from '../../src/browser/switchboard.ts';
import type { Wire } from '../../src/browser/wire.ts';

interface Heard {
  id: number;
  method: string;
  params?: unknown;
  sessionId?: string;
}

/** A browser that lets guests in, and otherwise sends what the test sends. It answers only guests that are in. */
export class FakeBrowser {
  readonly switchboard: Switchboard;
  /** The commands it received, except those that let guests in and out. */
  readonly heard: Heard[] = [];
  /** While false, commands stay on their way, and no guest is let in. */
  reads = true;
  #sessions = 0;
  #unread: (() => void)[] = [];
  #say: (message: Buffer) => void = () => {};
  #onHeard: (() => void)[] = [];

  constructor(limits?: SwitchboardLimits) {
    const wire: Wire = {
      send: (text, onSent) => {
        const read = (): void => {
          onSent?.();
          this.#hear(JSON.parse(text));
        };
        if (this.reads) queueMicrotask(read);
        else this.#unread.push(read);
      },
      listen: (onMessage) => {
        this.#say = onMessage;
      },
      fail: (error) => {
        throw error;
      },
      end: () => {},
    };
    this.switchboard = new Switchboard(wire, limits);
  }

  /** The judge is there, which the gateway asks about the browser. */
  async observed() {
    return {
      switchboard: this.switchboard,
      observer: await Observer.attach(new CdpConnection(this.switchboard.judge)),
    };
  }

  say(message: object): void {
    this.#say(Buffer.from(JSON.stringify(message)));
  }

  readOn(): void {
    this.reads = true;
    for (const read of this.#unread.splice(0)) read();
  }

  async received(count: number): Promise<Heard[]> {
    while (this.heard.length < count) await new Promise<void>((resolve) => this.#onHeard.push(resolve));
    return this.heard;
  }

  #hear(heard: Heard): void {
    const { id, method, sessionId } = heard;
    if (['Target.setAutoAttach', 'Target.setDiscoverTargets', 'Target.detachFromTarget'].includes(method))
      this.say({ id, result: {}, sessionId });
    else if (method === 'Target.attachToBrowserTarget') {
      this.#sessions += 1;
      this.say({ id, result: { sessionId: `GUEST${this.#sessions}` } });
    } else {
      this.heard.push(heard);
      for (const resolve of this.#onHeard.splice(0)) resolve();
    }
  }
}
