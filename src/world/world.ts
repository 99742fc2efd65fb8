import type { Captured, NetworkEntry } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import type { Nac3Served } from './nac3-files.ts';
import type { Interception } from '../fault/ports.ts';

/** The proxy settings of a browser context, so that this world is all it can reach. */
export interface WorldProxy {
  server: string;
  bypass: string;
}

/** Everything that the browser can reach in one episode. */
export interface World {
  proxy: WorldProxy;
  /** Addresses of the MCP servers of its apps; absent where none has one. */
  toolServers?: readonly string[];
  /** The exchanges that the world's own log saw, and the `seq` of the next. */
  network(): Captured<{ entries: NetworkEntry[]; next: number }>;
  /** The apps' state: that of the one app, or an object by origin when there are several; missing when there is none. */
  state(): Promise<Captured<Json>>;
  /** Refused requests: for addresses outside the world by `host:port`, WebSockets into it by `ws://host`. */
  outside(): Record<string, number>;
  /** Number of requests that the archive had no answer to; null in a world that is none. */
  offArchive(): number | null;
  /** The files of NAC3 that its pages were served, in hashes of the very bytes. */
  nac3(): Nac3Served;
  /** By which a fault deals with requests in the place of its apps. */
  readonly interception: Interception;
  close(): Promise<void>;
}
