import type { Worker } from 'node:worker_threads';
import type { Interception } from '../../fault/ports.ts';
import { messageOf } from '../../contract/message-of.ts';
import { fact } from '../../messages/messages.ts';
import { startThread } from '../../process/thread.ts';
import { WorldError } from '../error.ts';
import type { States } from '../local.ts';
import type { WorldProxy, World } from '../world-proxy.ts';
import { type Asked, CELLS, CELLS_BYTES, type FromWorlds, type WorldReply, type ThreadWorld } from './messages.ts';
import { RemoteExchange } from './remote-exchange.ts';

/** Longest time that a thread may take to cut, read or close a world, in ms; a thread that is stuck for longer is ended. */
const ANSWER_MS = 30_000;
/** Longest time that it may take to load and make its apps. */
const RAISE_MS = 300_000;

/** A world in a thread, without the parts that are processes. */
export interface RemoteWorld extends Omit<World, 'state' | 'toolServers'> {
  states: () => Promise<States>;
}

interface Waiting {
  resolve: (reply: WorldReply) => void;
  reject: (error: Error) => void;
}

/** A thread of worlds until it ends. Later requests are rejected with the reason, so that their results count as missing. */
export class RunningThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #interceptions = new Map<number, Interception>();
  #last = 0;
  /** Why it has ended; null while it runs. */
  #ended: string | null = null;

  constructor() {
    this.#worker = startThread('thread', import.meta.url, {}, []);
    this.#worker.on('message', (message: FromWorlds) => {
      this.#take(message);
    });
    this.#worker.on('error', (error) => {
      this.#hasEnded(`the thread of the world has ended: ${messageOf(error)}`);
    });
    this.#worker.on('exit', () => {
      this.#hasEnded('the thread of the world has ended');
    });
  }

  get hasEnded(): boolean {
    return this.#ended !== null;
  }

  async end(why: string): Promise<void> {
    this.#hasEnded(why);
    await this.#worker.terminate();
  }

  /** @throws WorldError when an app cannot be made, or the thread ends meanwhile. */
  async raise(world: ThreadWorld): Promise<RemoteWorld> {
    const id = this.#next();
    const cells = new SharedArrayBuffer(CELLS_BYTES);
    const counts = new Int32Array(cells);
    const { server = '' } = await this.#askWithin(RAISE_MS, { kind: 'raise', id, cells, world }).catch(
      (error: unknown) => {
        if (error instanceof WorldError) throw error;
        const why = messageOf(error);
        if ('archive' in world) {
          throw new WorldError(fact('archive_broken', { file: world.archive.file, why }), error);
        }
        const origin = world.sites.map((site) => site.origin).join(', ');
        throw new WorldError(fact('app_cannot_be_made', { origin, why }), error);
      },
    );
    const interception = interceptionOf(counts);
    this.#interceptions.set(id, interception);
    return {
      ...this.#way(id, server),
      traffic: trafficOf(counts),
      interception,
      anotherProxy: async () => {
        const other = this.#next();
        const opened = await this.#askWithin(ANSWER_MS, { kind: 'open', id: other, world: id });
        return this.#way(other, opened.server ?? '');
      },
      nac3: async () => {
        const { nac3 } = await this.#askWithin(ANSWER_MS, { kind: 'nac3', id }).catch((): WorldReply => ({}));
        return nac3 ?? { manifestChecksum: null, runtimeHash: null };
      },
      refused: async () =>
        (await this.#askWithin(ANSWER_MS, { kind: 'refused', id }).catch((): WorldReply => ({}))).refused ?? [],
      states: async () => (await this.#ask({ kind: 'states', id })).states ?? [],
      offArchive: () => ('archive' in world ? Atomics.load(counts, CELLS.offArchive) : null),
    };
  }

  #way(id: number, server: string): WorldProxy {
    return {
      proxy: { server, bypass: '<-loopback>' },
      network: async () => {
        const { network } = await this.#askWithin(ANSWER_MS, { kind: 'network', id });
        if (network === undefined) throw new Error('the thread of the world returned no log');
        return network;
      },
      cut: async () => {
        await this.#askWithin(ANSWER_MS, { kind: 'cut', id });
      },
      close: async () => {
        this.#interceptions.delete(id);
        if (this.hasEnded) return;
        const { isIdle = true } = await this.#askWithin(ANSWER_MS, { kind: 'close', id });
        if (!isIdle) await this.end('an app of its last world went on after it was closed');
      },
    };
  }

  #take(message: FromWorlds): void {
    if (message.kind === 'named') {
      void this.#deal(message);
      return;
    }
    const waiting = this.#waiting.get(message.call);
    this.#waiting.delete(message.call);
    if (message.kind === 'replied') waiting?.resolve(message.reply);
    else waiting?.reject(message.fact === null ? new Error(message.why) : new WorldError(message.fact));
  }

  async #deal({ world, exchange, named }: Extract<FromWorlds, { kind: 'named' }>): Promise<void> {
    let passes = false;
    let problem: string | null = null;
    try {
      const deal = this.#interceptions.get(world)?.by?.(named) ?? null;
      passes = deal === null;
      await deal?.(
        new RemoteExchange(
          (act) => this.#ask({ kind: 'act', exchange, act }),
          () => {
            this.#worker.postMessage({ kind: 'wake', exchange }, []);
          },
        ),
      );
    } catch (error) {
      problem = messageOf(error);
    }
    this.#worker.postMessage({ kind: 'dealt', exchange, passes, problem }, []);
  }

  async #ask(asked: Asked): Promise<WorldReply> {
    if (this.#ended !== null) throw new Error(this.#ended);
    const call = this.#next();
    return await new Promise<WorldReply>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.#worker.postMessage({ kind: 'asked', call, asked }, []);
    });
  }

  /** Ends the thread if it does not answer in time. */
  async #askWithin(limitMs: number, asked: Asked): Promise<WorldReply> {
    const timer = setTimeout(() => {
      void this.end(`the world did not answer within ${limitMs} ms`);
    }, limitMs);
    try {
      return await this.#ask(asked);
    } finally {
      clearTimeout(timer);
    }
  }

  #hasEnded(why: string): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(new Error(this.#ended));
    this.#waiting.clear();
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }
}

function trafficOf(counts: Int32Array): World['traffic'] {
  const read = (name: keyof World['traffic']) => Atomics.load(counts, CELLS[name]);
  return {
    get sent() {
      return read('sent');
    },
    get unanswered() {
      return read('unanswered');
    },
    get logged() {
      return read('logged');
    },
    get refused() {
      return read('refused');
    },
  };
}

/** The thread asks only while a fault intercepts. */
function interceptionOf(counts: Int32Array): Interception {
  let by: Interception['by'] = null;
  return {
    get by() {
      return by;
    },
    set by(intercept) {
      by = intercept;
      Atomics.store(counts, CELLS.isIntercepted, intercept === null ? 0 : 1);
    },
  };
}
