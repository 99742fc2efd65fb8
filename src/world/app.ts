import type { Json } from '../contract/json.ts';
import type { AppServer, Behind } from './backend.ts';

/**
 * An app that tasks work on. It answers web-standard requests, and returns its state to the judge over a channel that
 * no browser can reach: a function call. One instance serves one episode.
 */
export interface App {
  fetch(request: Request): Response | Promise<Response>;
  /** The app's whole truth, as JSON. */
  state(): Json | Promise<Json>;
  close?(): void | Promise<void>;
  /** The server that answers its WebSockets; an app without one has none, and attempts are refused. */
  webSockets?: AppServer;
  /** The process that answers for it, if it is one: requests may go there without a call of {@link fetch}. */
  behind?: Behind;
}

/** Longest state that is evidence, in bytes of JSON. */
export const MAX_STATE_BYTES = 16 * 1024 * 1024;
/** Most values in it: millions of numbers fit into the bytes, and take the judge seconds to compare. */
const MAX_STATE_VALUES = 100_000;

/** Whether a state has more values than are evidence. */
export function hasTooManyValues(state: unknown): boolean {
  const waiting = [state];
  for (let seen = 0; waiting.length > 0;) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    seen += inner.length;
    if (seen > MAX_STATE_VALUES) return true;
    for (const each of inner) waiting.push(each);
  }
  return false;
}

/** The time of an episode: that of the machine, unless its task sets a clock. */
export interface AppTime {
  /** The clock that the task sets, as an ISO time in UTC. */
  clock: string | null;
  /** Its lead over the machine's time, in ms. */
  offsetMs: number;
  /** As `Date.now()`. */
  now: () => number;
}

/** A clock that began when its world did. */
export type Clock = Pick<AppTime, 'clock' | 'offsetMs'>;

export const MACHINE_CLOCK: Clock = { clock: null, offsetMs: 0 };

export function startClock(clock: string): Clock {
  const at = Date.parse(clock);
  return { clock: new Date(at).toISOString(), offsetMs: at - Date.now() };
}

export function timeOf({ clock, offsetMs }: Clock): AppTime {
  return { clock, offsetMs, now: () => Date.now() + offsetMs };
}

/** Everything that an app is made with, except its parameters. */
interface AppSetting extends AppTime {
  /** Answers with a file of the `data` folder that the suite names; without one, with 404. */
  data: App['fetch'];
}

/** The default export of an app file: makes a fresh, seeded instance from a task instance's parameters. */
export type CreateApp = (parameters: Parameters, setting?: AppTime & Partial<AppSetting>) => App | Promise<App>;

type Parameters = Record<string, string | number>;

/** Gives an app file its types: `export default defineApp(() => ({ fetch, state }))`. */
export function defineApp(create: (parameters: Parameters, setting: AppSetting) => App | Promise<App>): CreateApp {
  return (parameters, setting = timeOf(MACHINE_CLOCK)) => create(parameters, { data: noData, ...setting });
}

function noData(): Response {
  return new Response('not found', { status: 404 });
}
