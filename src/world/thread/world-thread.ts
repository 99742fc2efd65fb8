import {
  closeApps,
  type LocalWorldOptions,
  makeApp,
  type RunningApps,
  type Site,
  stateOfAll,
  statesOf,
  toolServersOf,
} from '../local.ts';
import { NO_STATE } from '../archive/archive-world.ts';
import type { World } from '../world-proxy.ts';
import type { ThreadSite, ThreadWorld } from './messages.ts';
import { RunningThread } from './running-thread.ts';

/**
 * The thread in which the worlds of one slot run: their proxies, logs, apps and archives. An entrant can slow or end only
 * its own. The thread starts when it is first needed, and again after it has ended.
 */
export class WorldThread {
  #thread: RunningThread | null = null;

  /**
   * Raises a world of sites. Apps that are processes are started by this thread.
   * @throws WorldError when an app cannot be made; those that were made before it are closed.
   */
  async raise({ sites, ...options }: LocalWorldOptions): Promise<World> {
    const processes: RunningApps = new Map();
    const raised: ThreadSite[] = [];
    try {
      for (const site of sites) {
        if (options.live && site.standIn) continue;
        const { create: _create, madeOf, ...described } = site;
        const from = madeOf ?? (await startProcess(site, options, processes));
        raised.push({ ...described, from });
      }
      const { states, ...world } = await this.#running().raise({ sites: raised, ...options });
      return {
        ...world,
        toolServers: toolServersOf(sites),
        state: async () => {
          const all = new Map([...(await states()), ...(await statesOf(processes))]);
          return stateOfAll(
            sites.flatMap(({ origin }) => {
              const state = all.get(origin);
              return state === undefined ? [] : [[origin, state]];
            }),
          );
        },
        close: async () => {
          const closing = await Promise.allSettled([world.close(), closeApps(processes)]);
          for (const each of closing) if (each.status === 'rejected') throw each.reason;
        },
      };
    } catch (error) {
      await closeApps(processes).catch(() => {});
      throw error;
    }
  }

  /** Raises a world that an archive answers for. @throws WorldError when it cannot be opened, or has changed. */
  async raiseArchive(world: Extract<ThreadWorld, { archive: unknown }>): Promise<World> {
    return { ...(await this.#running().raise(world)), state: () => Promise.resolve(NO_STATE) };
  }

  #running(): RunningThread {
    if (this.#thread === null || this.#thread.hasEnded) this.#thread = new RunningThread();
    return this.#thread;
  }

  async close(): Promise<void> {
    await this.#thread?.end('the thread of the world was closed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function startProcess(
  site: Site,
  options: Omit<LocalWorldOptions, 'sites'>,
  processes: RunningApps,
): Promise<ThreadSite['from']> {
  const app = await makeApp(site, options);
  processes.set(site.origin, { app, hasState: site.hasState });
  if (app.behind === undefined) throw new Error(`no process answers for ${site.origin}`);
  return { behind: app.behind, hasWebSockets: app.webSockets !== undefined };
}
