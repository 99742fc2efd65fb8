import type { Captured, NetworkEntry } from '../contract/evidence.ts';
import type { RefusedRequest } from '../contract/refused-request.ts';
import type { Json } from '../contract/json.ts';
import type { Interception } from '../fault/ports.ts';
import { ExchangeLog, type Nac3Served } from './exchange-log.ts';
import { type ProxyOptions, type ProxyServer, startProxyServer } from './proxy-server.ts';

/** The exchanges that a log saw, and the `seq` of the next. */
type Network = Captured<{ entries: NetworkEntry[]; next: number }>;

/** A proxy on loopback that leads to a world, with a log of its own requests. */
export interface WorldProxy {
  /** The proxy settings of a browser context, so that this world is all it can reach. */
  proxy: { server: string; bypass: string };
  network(): Network | Promise<Network>;
  /**
   * Refuses new requests at once, waits for earlier ones that may change an app, within a limit, and then ends every connection.
   */
  cut(): Promise<void>;
  close(): Promise<void>;
}

/** Live counts of what reached a world through its first proxy. */
export interface WorldTraffic {
  /** Rises with each request and each WebSocket message. */
  readonly sent: number;
  /** Unanswered requests, through any proxy, that may still change something. */
  readonly unanswered: number;
  /** The `seq` that the next exchange in the log will have. */
  readonly logged: number;
  /** Requests for addresses outside the world. */
  readonly refused: number;
}

/** Everything that the browser can reach in one episode, and the proxy that leads there. */
export interface World extends WorldProxy {
  traffic: WorldTraffic;
  interception: Interception;
  /** How far its clock is ahead of the machine's, in ms; absent unless its task sets a clock. */
  offsetMs?: number;
  /** Opens another proxy to the same apps, which the caller closes. */
  anotherProxy(): Promise<WorldProxy>;
  /** Hashes of the NAC3 files as they were served to pages. */
  nac3(): Nac3Served | Promise<Nac3Served>;
  /** The requests that its first proxy refused, as rows name them. */
  refused(): RefusedRequest[] | Promise<RefusedRequest[]>;
  /** Addresses of the MCP servers of its apps; absent without any. */
  toolServers?: readonly string[];
  /** The state of the app, or an object by origin if there are several apps; missing without one. */
  state(): Promise<Captured<Json>>;
  /** Number of requests that the archive could not answer; null in a world without one. */
  offArchive(): number | null;
}

/** One whose proxy runs in this thread. */
export interface WorldProxyHere extends WorldProxy, Pick<ProxyServer, 'interception'> {
  network(): Network;
  nac3(): Nac3Served;
  refused(): RefusedRequest[];
}

type FirstProxy = WorldProxyHere & Pick<World, 'traffic'> & { anotherProxy(): Promise<WorldProxyHere> };

/** A world that runs in this thread. */
export type WorldHere = FirstProxy & World;

export type WorldProxyOptions = Omit<ProxyOptions, 'log' | 'onChange'> &
  Partial<Pick<ProxyOptions, 'onChange'>> & {
    /** Whether the log keeps headers and the bodies of responses. */
    whole?: boolean;
  };

/** Opens a proxy that can open others to the same apps. */
export async function openWorldProxy({
  onChange = () => {},
  whole = false,
  ...options
}: WorldProxyOptions): Promise<FirstProxy> {
  const traffics: ProxyServer['traffic'][] = [];
  const open = async () => {
    const log = new ExchangeLog(onChange, whole);
    const { address, traffic, ...proxy } = await startProxyServer({ ...options, onChange, log });
    traffics.push(traffic);
    const way: WorldProxyHere = {
      ...proxy,
      proxy: { server: address, bypass: '<-loopback>' },
      network: () => log.captured(),
      nac3: () => log.nac3.served(),
      refused: () => traffic.named,
    };
    return { way, traffic, log };
  };
  const first = await open();
  const traffic = {
    get sent() {
      return first.traffic.sent;
    },
    get unanswered() {
      return traffics.reduce((total, { unanswered }) => total + unanswered, 0);
    },
    get logged() {
      return first.log.next;
    },
    get refused() {
      return first.traffic.refused;
    },
  };
  return { ...first.way, traffic, anotherProxy: async () => (await open()).way };
}
