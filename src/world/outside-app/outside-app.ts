import { within } from '../../process/deadline.ts';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { Json } from '../../contract/json.ts';
import { didYouMean } from '../../contract/nearest-name.ts';
import { onPath, programsOnPath } from '../../process/environment.ts';
import { makeFolder, removeFolder } from '../../process/own-folder.ts';
import { type App, type AppTime, MACHINE_CLOCK, MAX_STATE_BYTES, timeOf } from '../app.ts';
import { faketimeEnv } from './faketime.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import { AppProcess, type ProgramCommand, freePort, isReady, APP_START_TIMEOUT_MS } from '../real-app/app-process.ts';
import { askBackend, askBehind } from '../backend.ts';
import { SECRET_HEADER, SECRET_VARIABLE } from './judge-secret.ts';

/** Time that the judge waits for a state, or for the start state to be laid out, in ms. */
const ASK_TIMEOUT_MS = 30_000;

/** Commands and addresses of a program; `{{port}}` is replaced by its port. */
interface Program {
  command: readonly string[];
  /** The port that it always takes; absent: each start is given a free one. */
  port?: number | undefined;
  env: Readonly<Record<string, string>>;
  /** The paths at which it answers once it can be used, and returns its state. */
  ready: string;
  state?: string | undefined;
  /** Path to which the parameters are posted, or a command that is run before. */
  reset?: string | readonly string[] | undefined;
  /** The variable that gets the clock of a task. */
  clock_env?: string | undefined;
  /** Whether its system calls give the clock of a task. */
  faketime?: boolean | undefined;
  /** Files and folders that are no part of the app, as seen from its folder. */
  leave_out?: readonly string[] | undefined;
}

interface OutsideSite {
  origin: string;
  /** The folder of the app, as a whole path. */
  folder: string;
  app: Program;
  /** Whether something below it, by its whole path, does not belong to the app. */
  leftOut?: (place: string, is: 'file' | 'folder') => boolean;
  /** Time limit of the app, or of the command that resets it, in ms. */
  startTimeoutMs?: number;
  /** Whether to give up soon on an app that listens only at another port, or refuses with 4xx. */
  impatient?: boolean | undefined;
}

/**
 * Makes an app of a program in any language: each instance is a fresh process in a fresh copy of its folder, which ends with
 * all that it has started.
 * @throws WorldError when the program is not there.
 */
export function outsideApp(site: OutsideSite) {
  const [program = ''] = site.app.command;
  if (!program.includes('/') && onPath(program) === null) {
    const meant = didYouMean(program, programsOnPath());
    throw new WorldError(fact('app_program_missing', { origin: site.origin, program, meant }));
  }
  return (parameters: Record<string, string | number>, time: AppTime = timeOf(MACHINE_CLOCK)) =>
    start(site, parameters, time);
}

async function start(site: OutsideSite, parameters: Record<string, string | number>, time: AppTime): Promise<App> {
  const { origin, app, startTimeoutMs = APP_START_TIMEOUT_MS } = site;
  const clock = clockFor(site, time);
  const port = app.port ?? (await freePort());
  const folder = await layOut(site);
  const secret = randomBytes(32).toString('base64url');
  const commandOf = (words: readonly string[]) => programOf(folder, words, { app, port, parameters, secret, clock });
  const ask = (at: string, init?: RequestInit) => askBackend({ port }, new Request(`${origin}${at}`, init));
  const askAsJudge = (at: string, init: RequestInit = {}) =>
    ask(at, {
      ...init,
      headers: { 'content-type': 'application/json', [SECRET_HEADER]: secret },
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
  let child: AppProcess | null = null;
  let status: number | null = null;
  try {
    if (app.reset !== undefined && typeof app.reset !== 'string') {
      child = new AppProcess(folder, commandOf(app.reset));
      await hasReset(child, startTimeoutMs);
    }
    child = new AppProcess(folder, commandOf(app.command));
    const answers = async (limitMs: number) => {
      status = await statusOf(ask(app.ready, { signal: AbortSignal.timeout(limitMs) }));
      return status !== null && status < 400;
    };
    const isRefused = () => status !== null && status >= 400 && status < 500;
    const wait =
      site.impatient === true
        ? isReadyAt(port, child, { answers, isRefused }, startTimeoutMs)
        : isReady(child, answers, startTimeoutMs);
    if (!(await wait)) throw await notReady(child, site, port, status);
    if (typeof app.reset === 'string') await resetAt(app.reset, askAsJudge, parameters);
  } catch (error) {
    await child?.end();
    removeFolder(folder);
    throw error;
  }
  const running = child;
  const { state, reset } = app;
  const behind = { server: { port }, kept: [state, reset].filter((each) => typeof each === 'string') };
  return {
    behind,
    webSockets: behind.server,
    fetch: (request) => askBehind(behind, request),
    state: async () => (state === undefined ? null : await jsonOf(state, await askAsJudge(state))),
    close: () => running.end(),
  };
}

/** Whole paths of what does not belong to an app. */
export function placesLeftOut(folder: string, { leave_out: named = [] }: Pick<Program, 'leave_out'>): Set<string> {
  return new Set(named.map((place) => path.resolve(folder, place)));
}

/** Documents and tests by their usual names: of a repository, most commits change nothing else. */
const USUALLY_NEEDLESS = {
  folders:
    /^(docs?|tests?|spec|e2e|__tests__|coverage|playwright-report|test-results|\.(github|idea|vscode|pytest_cache))$/i,
  files: /\.(md|rst|adoc)$|[._-](test|spec)\.\w+$|^test_\w+\.py$/i,
};

/** Names what lies at the top of an app's folder and is probably no part of the app. */
export function usuallyNeedless(folder: string): string[] {
  const { folders, files } = USUALLY_NEEDLESS;
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => (entry.isDirectory() ? folders : files).test(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Folders of installed packages: they are linked to and not copied, and hashed by the lockfile. */
const INSTALLED = new Set(['node_modules', '.venv']);

export function isOutsideAppInstalled(folder: string): boolean {
  return INSTALLED.has(path.basename(folder));
}

/** A folder of one instance: its home, its place for temporary files, and its copy of the app. */
async function layOut({ folder: from, app, leftOut = () => false }: OutsideSite): Promise<string> {
  const named = placesLeftOut(from, app);
  const folder = makeFolder('app');
  const data = path.join(folder, 'data');
  const installed: string[] = [];
  try {
    for (const each of ['home', 'tmp']) mkdirSync(path.join(folder, each));
    await cp(from, data, {
      recursive: true,
      filter: (place) => {
        if (named.has(path.resolve(place))) return false;
        if (place === from) return true;
        const found = lstatSync(place);
        if (!found.isDirectory()) return !(found.isFile() && leftOut(place, 'file'));
        if (isOutsideAppInstalled(place)) installed.push(place);
        return !isOutsideAppInstalled(place) && !leftOut(place, 'folder');
      },
    });
    for (const place of installed) symlinkSync(place, path.join(data, path.relative(from, place)), 'junction');
    return folder;
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
}

interface Filling {
  app: Program;
  port: number;
  parameters: Record<string, string | number>;
  secret: string;
  clock: Record<string, string>;
}

/** The variables that give a program the clock of a task. */
function clockFor({ origin, app }: OutsideSite, { clock, offsetMs }: AppTime): Record<string, string> {
  if (clock === null) return {};
  return {
    ...(app.clock_env === undefined ? {} : { [app.clock_env]: clock }),
    ...(app.faketime === true ? faketimeEnv(origin, offsetMs) : {}),
  };
}

function programOf(
  folder: string,
  words: readonly string[],
  { app, port, parameters, secret, clock }: Filling,
): ProgramCommand {
  const filled = (text: string) => text.replaceAll('{{port}}', String(port));
  const [program = '', ...args] = words.map(filled);
  const env = Object.fromEntries(Object.entries(app.env).map(([name, value]) => [name, filled(value)]));
  return {
    program: program.includes('/') ? path.resolve(folder, 'data', program) : program,
    args,
    env: { TOUCHSTONE_PARAMETERS: JSON.stringify(parameters), ...env, ...clock, [SECRET_VARIABLE]: secret },
  };
}

async function hasReset(child: AppProcess, timeoutMs: number): Promise<void> {
  const ended = await within(timeoutMs, () => child.exitCode);
  if (ended.finished && ended.value === 0) return;
  const how = ended.finished ? `ended with ${ended.value}` : `took longer than ${timeoutMs} ms`;
  throw new Error(`its reset ${how}: ${child.output}`);
}

async function notReady(
  child: AppProcess,
  { origin, folder, app }: OutsideSite,
  port: number,
  status: number | null,
): Promise<WorldError> {
  const output = child.output === '' ? ['nothing'] : child.output.split('\n');
  // The copy is gone by the time that a user looks for it.
  const started = `"${app.command.join(' ')}" in a copy of ${path.relative('.', folder) || '.'}`;
  const fields = { origin, started, output };
  if (!child.isRunning) return new WorldError(fact('app_program_ended', fields));
  if (await isListening(port))
    return new WorldError(fact('app_not_answering', { ...fields, ready: app.ready, port, status: status ?? '' }));
  const ports = child.listening();
  const others = ports.includes(port) ? 'address' : ports.join(' and ');
  return new WorldError(fact('app_not_listening', { ...fields, port, elsewhere: others }));
}

/** Time for which an app may listen only at other ports, or refuse to answer, in ms. */
const ELSEWHERE_MS = 5_000;

/** Waits until an app answers; false also once it listens, but not at this port, or keeps refusing with 4xx. */
async function isReadyAt(
  port: number,
  child: AppProcess,
  { answers, isRefused }: { answers: (limitMs: number) => Promise<boolean>; isRefused: () => boolean },
  timeoutMs: number,
): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  const left = () => giveUpAt - performance.now();
  const isElsewhere = () => child.listening().length > 0 && !child.listening().includes(port);
  while (child.isRunning && left() > 0 && !child.listening().includes(port)) {
    const was = isElsewhere();
    if (await isReady(child, answers, Math.min(left(), ELSEWHERE_MS))) return true;
    if ((was && isElsewhere()) || isRefused()) return false;
  }
  if (await isReady(child, answers, Math.min(left(), ELSEWHERE_MS))) return true;
  return !isRefused() && (await isReady(child, answers, left()));
}

/** Time that a program may take to be connected to, in ms. The kernel of one that accepts nothing is silent for minutes. */
const CONNECT_MS = 1_000;

/** Whether a program listens at a port of loopback, even one that accepts no connection. */
export async function isListening(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1', timeout: CONNECT_MS });
  try {
    return await new Promise((resolve) => {
      // A connection that is not refused in time is to a program that accepts nothing.
      for (const event of ['connect', 'timeout']) socket.once(event, () => resolve(true));
      socket.once('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}

async function statusOf(asking: Promise<Response>): Promise<number | null> {
  try {
    const response = await asking;
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}

async function resetAt(
  at: string,
  ask: (at: string, init: RequestInit) => Promise<Response>,
  parameters: Record<string, string | number>,
): Promise<void> {
  const { ok, status, body } = await ask(at, { method: 'POST', body: JSON.stringify(parameters) });
  await body?.cancel();
  if (!ok) throw new Error(`its reset, POST ${at}, was answered with ${status}`);
}

async function jsonOf(at: string, response: Response): Promise<Json> {
  if (!response.ok) throw new Error(`its state, GET ${at}, was answered with ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_STATE_BYTES) throw new Error(`its state is longer than ${MAX_STATE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Json.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}
