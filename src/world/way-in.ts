import type { Captured, NetworkEntry } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { ExchangeLog, type Nac3Served } from './exchange-log.ts';
import { type ProxyOptions, type ProxyServer, startProxyServer } from './proxy-server.ts';

/** The proxy settings of a browser context, so that this world is all it can reach. */
interface WorldProxy {
  server: string;
  bypass: string;
}

/** A proxy on loopback by which a world is reached, and a log of what was asked by it and by no other. */
export interface WayIn extends Pick<ProxyServer, 'outside' | 'interception' | 'traffic' | 'cut' | 'close'> {
  proxy: WorldProxy;
  /** The exchanges that its log saw, and the `seq` of the next. */
  network(): Captured<{ entries: NetworkEntry[]; next: number }>;
  /** The files of NAC3 that pages were served by it, in hashes of the very bytes. */
  nac3(): Nac3Served;
}

/**
 * A way in that can open others to the same apps; the caller closes those. Counts the unanswered requests of all of them.
 */
export type FirstWayIn = WayIn & { anotherWay(): Promise<WayIn> };

export async function openWayIn(options: Omit<ProxyOptions, 'log'>): Promise<FirstWayIn> {
  const traffics: WayIn['traffic'][] = [];
  const open = async (): Promise<WayIn> => {
    const log = new ExchangeLog();
    const { address, ...proxy } = await startProxyServer({ ...options, log });
    traffics.push(proxy.traffic);
    return {
      ...proxy,
      proxy: { server: address, bypass: '<-loopback>' },
      network: () => log.captured(),
      nac3: () => log.nac3.served(),
    };
  };
  const first = await open();
  const traffic = {
    get sent() {
      return first.traffic.sent;
    },
    get unanswered() {
      return traffics.reduce((total, { unanswered }) => total + unanswered, 0);
    },
  };
  return { ...first, traffic, anotherWay: open };
}

/** Everything that the browser can reach in one episode, and the way by which it does. */
export interface World extends FirstWayIn {
  /** Addresses of the MCP servers of its apps; absent where none has one. */
  toolServers?: readonly string[];
  /** The apps' state: that of the one app, or an object by origin when there are several; missing without one. */
  state(): Promise<Captured<Json>>;
  /** Number of requests that the archive could not answer; null in a world without one. */
  offArchive(): number | null;
}
