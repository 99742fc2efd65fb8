import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../contract/message-of.ts';
import { askBehind } from '../backend.ts';
import type { App, CreateApp } from '../app.ts';
import { WorldError } from '../error.ts';
import { loadApp, namingFile } from '../load-app.ts';
import { openArchive, type OpenArchive, startArchiveWorld } from '../archive/archive-world.ts';
import { type Site, startLocalWorld, type States } from '../local.ts';
import { staticSite } from '../static-site.ts';
import type { WorldProxyHere, WorldHere } from '../world-proxy.ts';
import { Exchanges } from './exchanges.ts';
import {
  type Asked,
  CELLS,
  type FromWorlds,
  type WorldReply,
  type ThreadSite,
  type ThreadWorld,
  type ToWorlds,
} from './messages.ts';

type OpenWorld = WorldHere & { states: () => Promise<States> };

/** Runs the worlds of one slot: their proxies, their logs and their apps. */
class WorldsThread {
  readonly #worlds = new Map<number, OpenWorld>();
  readonly #ways = new Map<number, WorldProxyHere>();
  readonly #tell: (message: FromWorlds) => void;
  readonly #exchanges: Exchanges;
  /** Archives stay open for the next world. */
  readonly #archives = new Map<string, OpenArchive>();

  constructor(tell: (message: FromWorlds) => void) {
    this.#tell = tell;
    this.#exchanges = new Exchanges(tell);
  }

  async take(message: ToWorlds): Promise<void> {
    if (message.kind !== 'asked') {
      this.#exchanges.take(message);
      return;
    }
    const { call, asked } = message;
    try {
      this.#tell({ kind: 'replied', call, reply: await this.#answer(asked) });
    } catch (error) {
      this.#tell({
        kind: 'failed',
        call,
        why: messageOf(error),
        fact: error instanceof WorldError ? error.fact : null,
      });
    }
  }

  async #answer(asked: Asked): Promise<WorldReply> {
    switch (asked.kind) {
      case 'raise':
        return await this.#raise(asked);
      case 'open': {
        const way = await this.#world(asked.world).anotherProxy();
        this.#ways.set(asked.id, way);
        return { server: way.proxy.server };
      }
      case 'states':
        return { states: await this.#world(asked.id).states() };
      case 'network':
        return { network: this.#way(asked.id).network() };
      case 'nac3':
        return { nac3: this.#way(asked.id).nac3() };
      case 'refused':
        return { refused: this.#way(asked.id).refused() };
      case 'cut':
        await this.#way(asked.id).cut();
        return {};
      case 'close': {
        const way = this.#way(asked.id);
        this.#ways.delete(asked.id);
        this.#worlds.delete(asked.id);
        await way.close();
        return { isIdle: this.#worlds.size > 0 || (await becomesIdle()) };
      }
      case 'act':
        return await this.#exchanges.act(asked.exchange, asked.act);
    }
  }

  async #raise({ id, cells, world: raised }: Extract<Asked, { kind: 'raise' }>): Promise<WorldReply> {
    const counts = new Int32Array(cells);
    const world = await this.#start(raised, () => {
      const current = this.#worlds.get(id);
      if (current === undefined) return;
      for (const name of ['sent', 'unanswered', 'logged', 'refused'] as const)
        Atomics.store(counts, CELLS[name], current.traffic[name]);
      Atomics.store(counts, CELLS.offArchive, current.offArchive() ?? 0);
    });
    this.#worlds.set(id, world);
    this.#ways.set(id, world);
    world.interception.by = (named) =>
      Atomics.load(counts, CELLS.isIntercepted) === 0 ? null : (open) => this.#exchanges.deal(id, named, open);
    return { server: world.proxy.server };
  }

  async #start(world: ThreadWorld, onChange: () => void): Promise<OpenWorld> {
    if ('archive' in world) {
      const { archive: choice, ...options } = world;
      const key = JSON.stringify(choice);
      const open = this.#archives.get(key) ?? (await openArchive(choice));
      this.#archives.set(key, open);
      return { ...(await startArchiveWorld({ ...open, ...options, onChange })), states: () => Promise.resolve([]) };
    }
    const sites: Site[] = [];
    for (const site of world.sites) sites.push({ ...site, create: await creatorOf(site.from) });
    return await startLocalWorld({ ...world, sites, onChange });
  }

  #world(id: number): OpenWorld {
    const world = this.#worlds.get(id);
    if (world === undefined) throw new Error('the world is closed');
    return world;
  }

  #way(id: number): WorldProxyHere {
    const way = this.#ways.get(id);
    if (way === undefined) throw new Error('the way into the world is closed');
    return way;
  }
}

/** Resources that keep a thread alive when it has no world. */
const OWN_RESOURCES = 1;
/** Number of looks for leftovers of an app, and the time between them, in ms: closed parts may take a moment to end. */
const LOOKS = 10;
const LOOK_MS = 10;

/** Whether no timer, connection or file keeps the thread alive for an app: it would run in the next world, and could end that. */
async function becomesIdle(): Promise<boolean> {
  for (let looks = 0; process.getActiveResourcesInfo().length > OWN_RESOURCES; looks += 1) {
    if (looks === LOOKS) return false;
    await sleep(LOOK_MS, undefined, { ref: false });
  }
  return true;
}

async function creatorOf(from: ThreadSite['from']): Promise<CreateApp> {
  if ('app' in from) return namingFile(from.app, await loadApp(from.app));
  if ('files' in from) return () => staticSite(from.files);
  const { behind, hasWebSockets } = from;
  const app: App = { behind, fetch: (request) => askBehind(behind, request), state: () => null };
  return () => (hasWebSockets ? { ...app, webSockets: behind.server } : app);
}

const port = parentPort;
if (port !== null) {
  const thread = new WorldsThread((message) => {
    port.postMessage(message, []);
  });
  port.on('message', (message: ToWorlds) => void thread.take(message));
}
