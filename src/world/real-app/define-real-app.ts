import { mkdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../contract/json.ts';
import { makeFolder, removeFolder } from '../../process/own-folder.ts';
import { canBubblewrap, sandboxedServer } from '../../process/sandbox/bubblewrap.ts';
import { openSandboxWay } from '../../process/sandbox/relays.ts';
import { type AppServer, answersAt, askBackend } from '../backend.ts';
import type { App, CreateApp } from '../app.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import { AppProcess, type AppCommand, freePort, isReady } from './app-process.ts';
import { installationOf, isInstalled, type PinnedApp, readPin } from './cache.ts';
import { readCopied } from './copied-data.ts';

/** The places that an adapter uses. */
export interface AppPlace {
  /** The running application's own data: seeded before it starts, read for its state, gone afterwards. */
  data: string;
  /** Folder with the `node_modules` into which the application is installed. */
  installed: string;
  /** Folder of the app file. */
  adapter: string;
  parameters: Record<string, string | number>;
}

/** An adapter's description of a real application. */
export interface RealApp {
  /** `import.meta.url` of the app file, next to package.json, package-lock.json and `seed`. */
  file: string;
  /** The npm package that is the application. */
  package: string;
  /** Changes the copy of `seed`. */
  prepare?(place: AppPlace): void | Promise<void>;
  /** The script that Node is to run; the server must listen on 127.0.0.1 only. */
  command(place: AppPlace, port: number): AppCommand;
  /** A path that answers with success once the application is ready. */
  ready: string;
  webSockets?: boolean;
  /** The application's whole state, read from its data and never in a way open to a browser. */
  state(place: AppPlace): Json | Promise<Json>;
}

/** Number of ports that are tried when another program takes the free one. */
const MAX_STARTS = 3;

/** The functions that make real applications: known here only, so that no suite can pass off its own app as one. */
const PINS = new WeakMap<CreateApp, PinnedApp>();

/** Makes an app of a real application: each instance is a fresh process on a fresh copy of the seeded data. */
export function defineRealApp(app: RealApp): CreateApp {
  const adapter = path.dirname(fileURLToPath(app.file));
  const pin = readPin(adapter, app.package);
  const create: CreateApp = async (parameters) => {
    if (!isInstalled(pin)) throw notInstalled(pin);
    for (let start = 1; ; start += 1) {
      const folder = makeFolder('app');
      const place = { data: path.join(folder, 'data'), installed: installationOf(pin), adapter, parameters };
      const started = await begin(folder, place, app);
      const { child, server } = started;
      if (await isReady(child, (limitMs) => answersAt(server, app.ready, limitMs))) return running(app, place, started);
      await end(started);
      if (start < MAX_STARTS && child.output.includes('EADDRINUSE')) continue;
      throw new Error(`${pin.package} ${pin.version} did not start: ${child.output}`);
    }
  };
  PINS.set(create, pin);
  return create;
}

/** The real application that a function makes; null when it makes an app of ours or of a suite. */
export function realAppOf(create: CreateApp): PinnedApp | null {
  return PINS.get(create) ?? null;
}

function notInstalled({ name, package: what, version }: PinnedApp): WorldError {
  return new WorldError(fact('app_not_installed', { name, package: what, version }));
}

/** A running application, and the way to it. */
interface Started {
  child: AppProcess;
  server: AppServer;
  closeWay: () => Promise<void>;
}

/** Lays out the folder of one instance and starts it there; no folder is left when that fails. */
async function begin(folder: string, place: AppPlace, app: RealApp): Promise<Started> {
  try {
    for (const each of ['home', 'tmp']) mkdirSync(path.join(folder, each));
    await cp(path.join(place.adapter, 'seed'), place.data, { recursive: true });
    await app.prepare?.(place);
    const port = await freePort();
    const command = app.command(place, port);
    if (canBubblewrap()) return await keptApart(folder, place, command, port);
    return { child: new AppProcess(folder, command), server: { port }, closeWay: () => Promise.resolve() };
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
}

/**
 * Starts it in a sandbox: some applications can run programs for their users, and these must find no file of ours, no
 * process, and no network.
 */
async function keptApart(
  folder: string,
  { data, installed, adapter }: AppPlace,
  { script, args, env = {} }: AppCommand,
  port: number,
): Promise<Started> {
  const way = await openSandboxWay();
  const sandbox = sandboxedServer({
    commandLine: [process.execPath, script, ...args],
    port,
    folder,
    cwd: data,
    readable: [installed, adapter],
    wayIn: way.folder,
  });
  const child = new AppProcess(folder, { program: 'bwrap', args: sandbox, env });
  // It has ended already.
  void child.exitCode.then(() => way.close());
  return { child, server: { socketPath: way.socketPath }, closeWay: () => way.close() };
}

async function end({ child, closeWay }: Started): Promise<void> {
  await child.end();
  await closeWay();
}

function running(app: RealApp, place: AppPlace, started: Started): App {
  const { server } = started;
  return {
    behind: { server, kept: [] },
    fetch: (request) => askBackend(server, request),
    state: () => stateOf(app, place).catch(() => stateOf(app, place)),
    close: () => end(started),
    ...(app.webSockets === true ? { webSockets: server } : {}),
  };
}

/** A copy may have been made while the application wrote: the next one has all of it. */
async function stateOf(app: RealApp, place: AppPlace): Promise<Json> {
  return await readCopied(place.data, (data) => app.state({ ...place, data }));
}
