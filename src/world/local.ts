import { missing, present } from '../contract/evidence.ts';
import type { App, CreateApp, Json } from './app.ts';
import { ExchangeLog } from './exchange-log.ts';
import { startProxyServer } from './proxy-server.ts';
import type { TlsIdentity } from './tls-identity.ts';
import type { World } from './world.ts';

/** One origin of a local world and what answers for it. */
export interface Site {
  /** For example `http://basics.localhost` or `https://example.com`; stable, so that hashes do not depend on ports. */
  origin: string;
  create: CreateApp;
  /** True for an app, whose state is evidence; false for plain files. */
  hasState: boolean;
  /** True when the site stands in for a real one on the web. */
  standIn: boolean;
}

export interface LocalWorldOptions {
  sites: readonly Site[];
  parameters: Record<string, string | number>;
  identity: TlsIdentity;
  /** Lets the real web answer instead of the stand-ins; everything else stays local. */
  live: boolean;
}

/**
 * A world of fresh app instances on stable origins, behind one proxy on loopback. With `live`, what is passed on is
 * encrypted and so not in the log: the log then counts as not captured.
 */
export async function startLocalWorld({ sites, parameters, identity, live }: LocalWorldOptions): Promise<World> {
  const running = new Map<string, { app: App; hasState: boolean }>();
  for (const { origin, create, hasState, standIn } of sites) {
    if (live && standIn) continue;
    running.set(origin, { app: await create(parameters), hasState });
  }
  const log = new ExchangeLog();
  const proxy = await startProxyServer({
    handlerOf: (origin) => {
      const app = running.get(origin)?.app;
      return app === undefined ? null : (request) => app.fetch(request);
    },
    passOn: live,
    log,
    identity,
  });
  return {
    proxy: { server: proxy.address, bypass: '<-loopback>' },
    network: () =>
      live
        ? missing('the live web is passed on encrypted, so its exchanges were not seen')
        : present({ entries: log.entries(), next: log.next }),
    state: async () => {
      const states: [string, Json][] = [];
      for (const [origin, { app, hasState }] of running) if (hasState) states.push([origin, await app.state()]);
      const [first] = states;
      if (first === undefined) return missing('this world has no app that keeps a state');
      return present(states.length === 1 ? first[1] : Object.fromEntries(states));
    },
    outside: proxy.outside,
    close: async () => {
      await proxy.close();
      for (const { app } of running.values()) await app.close?.();
    },
  };
}
