import type { Captured, NetworkEntry } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import type { Interception } from '../fault/ports.ts';
import { ExchangeLog, type Nac3Served } from './exchange-log.ts';
import { type ProxyOptions, type ProxyServer, startProxyServer } from './proxy-server.ts';

/** The exchanges that a log saw, and the `seq` of the next. */
type Network = Captured<{ entries: NetworkEntry[]; next: number }>;

/** A proxy on loopback by which a world is reached, and a log of what was asked by it and by no other. */
export interface WayIn {
  /** The proxy settings of a browser context, so that this world is all it can reach. */
  proxy: { server: string; bypass: string };
  network(): Network | Promise<Network>;
  /**
   * Lets nothing in any more, at once. What an app was asked to change before is waited for, within a limit; then every
   * connection ends.
   */
  cut(): Promise<void>;
  close(): Promise<void>;
}

/** Counts of what came into a world by its first way; they are read as they are now. */
export interface WorldTraffic {
  /** Rises with each request, and with what is sent over a WebSocket. */
  readonly sent: number;
  /** Requests by any way that may change something yet. */
  readonly unanswered: number;
  /** The `seq` that the next exchange in the log will have. */
  readonly logged: number;
  /** Requests for addresses outside the world. */
  readonly refused: number;
}

/** Everything that the browser can reach in one episode, and the way by which it does. */
export interface World extends WayIn {
  traffic: WorldTraffic;
  interception: Interception;
  /** The lead of its time over the machine's, in ms; absent unless its task sets a clock. */
  offsetMs?: number;
  /** Opens another way to the same apps, which the caller closes. */
  anotherWay(): Promise<WayIn>;
  /** The files of NAC3 that pages were served, in hashes of the very bytes. */
  nac3(): Nac3Served | Promise<Nac3Served>;
  /** Addresses of the MCP servers of its apps; absent where none has one. */
  toolServers?: readonly string[];
  /** The apps' state: that of the one app, or an object by origin when there are several; missing without one. */
  state(): Promise<Captured<Json>>;
  /** Number of requests that the archive could not answer; null in a world without one. */
  offArchive(): number | null;
}

/** A way in whose proxy runs in this thread. */
export interface WayInHere extends WayIn, Pick<ProxyServer, 'outside' | 'interception'> {
  network(): Network;
  nac3(): Nac3Served;
}

type FirstWayIn = WayInHere & Pick<World, 'traffic'> & { anotherWay(): Promise<WayInHere> };

/** A world that runs in this thread. */
export type WorldHere = FirstWayIn & World;

export type WayInOptions = Omit<ProxyOptions, 'log' | 'onChange'> & Partial<Pick<ProxyOptions, 'onChange'>>;

/** Opens a way in that can open others to the same apps. */
export async function openWayIn({ onChange = () => {}, ...options }: WayInOptions): Promise<FirstWayIn> {
  const traffics: ProxyServer['traffic'][] = [];
  const open = async () => {
    const log = new ExchangeLog(onChange);
    const { address, traffic, ...proxy } = await startProxyServer({ ...options, onChange, log });
    traffics.push(traffic);
    const way: WayInHere = {
      ...proxy,
      proxy: { server: address, bypass: '<-loopback>' },
      network: () => log.captured(),
      nac3: () => log.nac3.served(),
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
  return { ...first.way, traffic, anotherWay: async () => (await open()).way };
}
