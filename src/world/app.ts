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

/** The default export of an app file: makes a fresh, seeded instance from a task instance's parameters. */
export type CreateApp = (parameters: Record<string, string | number>) => App | Promise<App>;

/** Gives an app file its types: `export default defineApp(() => ({ fetch, state }))`. */
export function defineApp(create: CreateApp): CreateApp {
  return create;
}
