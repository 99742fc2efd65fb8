import { z } from 'zod';
import { doorAt } from '../process/sandbox/browser.ts';
import { idOf } from './envelope.ts';
import type { Wire } from './wire.ts';

const CREATE = 'Target.createBrowserContext';
const DISPOSE = 'Target.disposeBrowserContext';

const Create = z.looseObject({
  id: z.number(),
  method: z.literal(CREATE),
  params: z.looseObject({ proxyServer: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/) }),
});
const Dispose = z.looseObject({ method: z.literal(DISPOSE), params: z.looseObject({ browserContextId: z.string() }) });
const Created = z.looseObject({ result: z.looseObject({ browserContextId: z.string() }) });

/**
 * The proxies that the contexts of a browser in a sandbox lead to. Inside, each has a door of its own, and is gone with its context: the
 * browser reaches no other port of this machine. Clients name proxies as they are outside.
 */
export class WorldDoors {
  /** By the address of the door. */
  readonly #proxies = new Map<string, URL>();
  /** Doors of contexts that are being made, by the number of the command; and of those that are there. */
  readonly #asked = new Map<number, string>();
  readonly #ofContexts = new Map<string, string>();
  /** The first is the browser's own. */
  #last = 1;

  proxyBehind(address: string): URL | null {
    return this.#proxies.get(address) ?? null;
  }

  /** The wire to the browser, for code that ignores doors. */
  before(wire: Wire): Wire {
    return {
      ...wire,
      send: (text, onSent) => {
        wire.send(this.#translated(text), onSent);
      },
      listen: (onMessage, onEnd) => {
        wire.listen((message) => {
          if (this.#asked.size > 0) this.#hear(message);
          onMessage(message);
        }, onEnd);
      },
    };
  }

  #translated(text: string): string {
    if (text.includes(CREATE)) {
      const { data } = Create.safeParse(JSON.parse(text));
      if (data !== undefined) return JSON.stringify(this.#throughDoor(data));
    } else if (text.includes(DISPOSE)) {
      const { data } = Dispose.safeParse(JSON.parse(text));
      if (data !== undefined) this.#close(data.params.browserContextId);
    }
    return text;
  }

  #throughDoor(command: z.output<typeof Create>): z.output<typeof Create> {
    this.#last += 1;
    const door = doorAt(this.#last);
    this.#proxies.set(door, new URL(command.params.proxyServer));
    this.#asked.set(command.id, door);
    return { ...command, params: { ...command.params, proxyServer: `http://${door}` } };
  }

  #hear(message: Buffer): void {
    const id = idOf(message);
    const door = id === null ? undefined : this.#asked.get(id);
    if (id === null || door === undefined) return;
    this.#asked.delete(id);
    const { data } = Created.safeParse(JSON.parse(message.toString('utf8')));
    if (data === undefined) this.#proxies.delete(door);
    else this.#ofContexts.set(data.result.browserContextId, door);
  }

  #close(contextId: string): void {
    const door = this.#ofContexts.get(contextId);
    if (door === undefined) return;
    this.#ofContexts.delete(contextId);
    this.#proxies.delete(door);
  }
}
