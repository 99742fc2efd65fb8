import { within } from '../process/deadline.ts';
import { type Captured, missing, present } from '../contract/evidence.ts';
import { messageOf } from '../contract/message-of.ts';
import { Json, jsonBytes } from '../contract/json.ts';
import {
  type App,
  type Clock,
  type CreateApp,
  hasTooManyValues,
  MACHINE_CLOCK,
  MAX_STATE_BYTES,
  timeOf,
} from './app.ts';
import { fact } from '../messages/messages.ts';
import { WorldError } from './error.ts';
import { LiveWeb } from './live/live-web.ts';
import { staticSite } from './static-site.ts';
import type { TlsIdentity } from './tls-identity.ts';
import { openWorldProxy, type WorldHere } from './world-proxy.ts';
import { webSocketsOn } from './web-socket.ts';

/** One origin of a local world and what answers for it. */
export interface Site {
  /** For example `http://basics.localhost` or `https://example.com`; stable, so that hashes do not depend on ports. */
  origin: string;
  create: CreateApp;
  /** True for an app, whose state is evidence; false for plain files. */
  hasState: boolean;
  /** True for a copy of a real site on the web. */
  standIn: boolean;
  /** A folder that the suite names outside its own. */
  data?: string;
  /** Path of the app's own MCP server, if it has one. */
  mcp?: string;
  /** The source from which another thread can make it; absent if `create` starts a process, which serves any thread. */
  madeOf?: { app: string } | { files: string };
}

export interface LocalWorldOptions {
  sites: readonly Site[];
  parameters: Record<string, string | number>;
  identity: TlsIdentity;
  /** Lets the real web answer instead of the stand-ins; everything else stays local. */
  live: boolean;
  /** Absent: the machine's. */
  clock?: Clock | undefined;
  /** Pages get it for the NAC3 manifest of their app. */
  manifest?: Uint8Array | undefined;
  /** Whether the log keeps headers and the bodies of responses. */
  whole?: boolean;
  closeTimeoutMs?: number;
  onChange?: () => void;
}

/** Time that an app may take to close, in ms; then it is left to itself. */
const CLOSE_TIMEOUT_MS = 5_000;

export type RunningApps = Map<string, { app: App; hasState: boolean }>;

export type States = [origin: string, state: Json][];

interface LocalWorld extends WorldHere {
  states(): Promise<States>;
}

/**
 * A world of fresh app instances on stable origins, behind one proxy on loopback. With `live`, the web as it is now
 * answers for every other address.
 * @throws WorldError when an app cannot be made; those that were made before it are closed.
 */
export async function startLocalWorld({
  sites,
  parameters,
  identity,
  live,
  clock,
  closeTimeoutMs = CLOSE_TIMEOUT_MS,
  ...options
}: LocalWorldOptions): Promise<LocalWorld> {
  const running: RunningApps = new Map();
  try {
    for (const site of sites) {
      if (live && site.standIn) continue;
      running.set(site.origin, { app: await makeApp(site, { parameters, clock }), hasState: site.hasState });
    }
  } catch (error) {
    await closeApps(running, closeTimeoutMs).catch(() => {});
    throw error;
  }
  const web = live ? new LiveWeb() : null;
  const way = await openWorldProxy({
    handlerOf: (origin) => {
      const app = running.get(origin)?.app;
      if (app !== undefined) return (request) => app.fetch(request);
      return web === null ? null : (request) => web.answer(request);
    },
    webSocketsOf: (origin) => {
      const app = running.get(origin)?.app;
      if (app === undefined) return web?.webSocketsOf(origin) ?? null;
      return app.webSockets === undefined ? null : webSocketsOn(app.webSockets, app.behind?.kept ?? []);
    },
    identity,
    ...options,
  });
  return {
    ...way,
    toolServers: toolServersOf(sites),
    states: () => statesOf(running),
    state: async () => stateOfAll(await statesOf(running)),
    offArchive: () => null,
    close: async () => {
      await way.close();
      web?.close();
      await closeApps(running, closeTimeoutMs);
    },
  };
}

export function toolServersOf(sites: readonly Pick<Site, 'origin' | 'mcp'>[]): string[] {
  return sites.flatMap(({ origin, mcp }) => (mcp === undefined ? [] : [`${origin}${mcp}`]));
}

/** @throws WorldError that names its origin when it cannot be made. */
export async function makeApp(
  { origin, create, data }: Site,
  { parameters, clock = MACHINE_CLOCK }: Pick<LocalWorldOptions, 'parameters' | 'clock'>,
): Promise<App> {
  try {
    const files = data === undefined ? {} : { data: async (request: Request) => await staticSite(data).fetch(request) };
    return await create(parameters, { ...timeOf(clock), ...files });
  } catch (error) {
    if (error instanceof WorldError) throw error;
    throw new WorldError(fact('app_cannot_be_made', { origin, why: messageOf(error) }), error);
  }
}

export async function statesOf(running: RunningApps): Promise<States> {
  const states: States = [];
  for (const [origin, { app, hasState }] of running) if (hasState) states.push([origin, await stateOf(app)]);
  return states;
}

export function stateOfAll(states: States): Captured<Json> {
  const [first] = states;
  if (first === undefined) return missing('this world has no app that keeps a state');
  return present(states.length === 1 ? first[1] : Object.fromEntries(states));
}

/** A copy: later acts of the app must not change the capture. */
async function stateOf(app: App): Promise<Json> {
  const returned = await app.state();
  if (hasTooManyValues(returned)) throw new Error('it has too many values');
  if (jsonBytes(returned, MAX_STATE_BYTES) === null) throw new Error(`it is longer than ${MAX_STATE_BYTES} bytes`);
  const state = Json.safeParse(returned);
  if (!state.success) throw new Error('it is not JSON');
  const copy: Json = JSON.parse(JSON.stringify(state.data));
  return copy;
}

/** Closes every app, even if one of them fails to, or never finishes. */
export async function closeApps(running: RunningApps, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
  const apps = [...running].map(([origin, { app }]) => closeApp(origin, app, timeoutMs));
  const failed = (await Promise.allSettled(apps)).find((closing) => closing.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function closeApp(origin: string, app: App, timeoutMs: number): Promise<void> {
  try {
    await within(timeoutMs, async () => app.close?.());
  } catch (error) {
    throw new WorldError(fact('app_cannot_be_closed', { origin, why: messageOf(error) }), error);
  }
}
