import type { Captured, NetworkEntry } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import type { Nac3Served } from './nac3-files.ts';
import type { NetworkFaults } from './network-faults.ts';

/** What a browser context is told to use as its proxy, so that this world is all it can reach. */
export interface WorldProxy {
  server: string;
  bypass: string;
}

/** What the browser can reach in one episode. */
export interface World {
  proxy: WorldProxy;
  /** Addresses of the MCP servers of its apps; absent where none has one. */
  toolServers?: readonly string[];
  /** What the world's own log saw, and the `seq` of what comes next. */
  network(): Captured<{ entries: NetworkEntry[]; next: number }>;
  /** The apps' state: that of the one app, or an object by origin when there are several; missing when there is none. */
  state(): Promise<Captured<Json>>;
  /** What was refused: requests for addresses outside the world by `host:port`, WebSockets into it by `ws://host`. */
  outside(): Record<string, number>;
  /** How many requests the archive had no answer to; null in a world that is none. */
  offArchive(): number | null;
  /** What its pages were served of NAC3, in hashes of the very bytes. */
  nac3(): Nac3Served;
  /** What is to go wrong on the way to it, if anything. */
  readonly faults: NetworkFaults;
  close(): Promise<void>;
}
