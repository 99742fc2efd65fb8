import type { Captured } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import type { FirstWayIn } from './way-in.ts';

/** Everything that the browser can reach in one episode, and the way by which it does. */
export interface World extends FirstWayIn {
  /** Addresses of the MCP servers of its apps; absent where none has one. */
  toolServers?: readonly string[];
  /** The apps' state: that of the one app, or an object by origin when there are several; missing when there is none. */
  state(): Promise<Captured<Json>>;
  /** Number of requests that the archive had no answer to; null in a world that is none. */
  offArchive(): number | null;
  /** Ports of this machine that its apps have taken by themselves; absent where no app can. */
  otherPorts?(): number[];
}
