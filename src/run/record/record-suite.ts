import os from 'node:os';
import { referenceAgent } from '../../agent/kinds/reference.ts';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { Evidence } from '../../contract/evidence.ts';
import type { Status } from '../../contract/status.ts';
import type { Redactor } from '../../bundle/redact.ts';
import { runEpisode } from '../../episode/run-episode.ts';
import { aria } from '../../surface/aria/aria.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import type { Task } from '../../task/schema.ts';
import type { Har, HarEntry, Provenance } from '../../world/archive/har.ts';
import { Recorder } from '../../world/archive/recorder.ts';
import type { BodyStore } from '../../world/archive/write-archive.ts';
import { parseConnectTo, LiveWeb, startLiveWorld } from '../../world/live/live-web.ts';
import type { TlsIdentity } from '../../world/tls-identity.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { taskName } from '../../task/instance.ts';
import { OFF_ROUTE, routeName } from '../../world/archive/route-name.ts';
import { withoutRepeats } from '../../world/archive/changes.ts';
import { crawl, withoutFragment } from './crawl.ts';
import type { Intent } from '../../task/intent.ts';
import type { EpisodeEvent } from '../../episode/events.ts';
import { defineTask } from '../../task/validate.ts';
import type { World } from '../../world/world-proxy.ts';

export interface RecordOptions {
  suite: LoadedSuite;
  browser: JudgedBrowser;
  identity: TlsIdentity;
  bodies: BodyStore;
  redactor: Redactor;
  /** Servers to connect to instead, see `parseConnectTo`. */
  connectTo: readonly string[];
  /** Most pages of each site that are recorded besides those on the routes. */
  maxPages: number;
  ignoreQuery: ReadonlySet<string>;
  listener: RecordListener;
}

export interface RecordListener {
  route: (route: Route, status: Status, detail: string | null) => void;
  /** A task has no solution on the page. */
  withoutRoute: (task: string) => void;
  page: (url: string) => void;
  /** The judge cannot read a page on a route. */
  unreadable: (url: string, why: string) => void;
  /** One look at a page takes more than a tenth of the task's time. */
  heavy: (url: string, lookMs: number, capMs: number) => void;
  /** A page off the routes could not be opened. */
  closed: (url: string, why: string) => void;
}

/** Time for open streams to end after the last page, in ms. */
const END_MS = 5_000;
/** Share of a task's time from which one look is heavy. */
const HEAVY_LOOK = 0.1;

/**
 * Follows each task's solutions and near-misses on the live web, then the pages around them, and records every exchange.
 * @returns the archive's index, and whether every task has a solution, every route ended as it must, and every page on it can be judged
 * @throws WorldError for an invalid `connectTo`
 */
export async function recordSuite(options: RecordOptions): Promise<{ har: Har; allAsExpected: boolean }> {
  const { suite, bodies, redactor, connectTo, listener, browser } = options;
  const web = new LiveWeb(connectTo.map(parseConnectTo));
  const recorder = new Recorder({ web, bodies, redact: (text) => redactor.text(text) });
  const startedAt = new Date();
  const visited: Visited = new Map();
  let allAsExpected = true;
  try {
    for (const { task } of suite.tasks) {
      const routes = routesOf(task);
      if (!routes.some(({ expected }) => expected === 'passed')) {
        allAsExpected = false;
        listener.withoutRoute(taskName(task));
      }
      for (const route of routes) {
        const { status, detail } = await walk(options, { web, recorder, task, route, visited });
        allAsExpected &&= status === route.expected;
        listener.route(route, status, detail);
      }
    }
    const canBeJudged = await recordBeside(options, web, recorder, visited);
    allAsExpected &&= canBeJudged;
    const { entries: all, notRecorded } = await recorder.finish(END_MS);
    const entries = withoutRepeats(all, options.ignoreQuery);
    const { name, version } = browser.identity;
    const provenance: Provenance = {
      kind: 'recorded',
      started_at: startedAt.toISOString(),
      ended_at: new Date().toISOString(),
      browser: `${name} ${version}`,
      platform: `${os.platform()} ${os.arch()}`,
      connect_to: [...connectTo],
    };
    const touchstone = { schema_version: 1 as const, provenance, not_recorded: [...notRecorded] };
    return { allAsExpected, har: harOf(entries, touchstone) };
  } finally {
    web.close();
  }
}

function harOf(entries: HarEntry[], touchstone: Har['log']['_touchstone']): Har {
  const first = new Map(entries.toReversed().map(({ pageref, startedDateTime }) => [pageref, startedDateTime]));
  const pages = [...new Set(entries.map(({ pageref }) => pageref))].map((id) => {
    return { startedDateTime: first.get(id) ?? '', id, title: id, pageTimings: {} };
  });
  const creator = { name: 'Touchstone', version: packageVersion() };
  return { log: { version: '1.2', creator, pages, entries, _touchstone: touchstone } };
}

/** The visited pages, by address without fragment, with the smallest time cap of the tasks that led there, in ms. */
type Visited = Map<string, number>;

interface Recording {
  web: LiveWeb;
  recorder: Recorder;
  task: Task;
  route: Route;
  visited: Visited;
}

async function walk(
  { browser, identity, redactor }: RecordOptions,
  { web, recorder, task, route, visited }: Recording,
): Promise<{ status: Status; detail: string | null }> {
  const agent = referenceAgent('reference', route.steps);
  const evidence = (_moment: string, captured: Evidence): Promise<string> => {
    const cap = task.maxDurationMs;
    for (const url of addressesIn(captured)) visited.set(url, Math.min(visited.get(url) ?? Infinity, cap));
    return Promise.resolve('');
  };
  const episode = { task, agent, surface: aria, browser, sink: { event: () => {}, clean: redactor.json, evidence } };
  const of = { identity, web, answer: (request: Request) => recorder.answer(route.page, request) };
  return await inWorld(of, (world) => runEpisode({ ...episode, world }));
}

/** Each episode needs its own world, since it cuts it at its end. */
async function inWorld<T>(of: Parameters<typeof startLiveWorld>[0], work: (world: World) => Promise<T>): Promise<T> {
  const world = await startLiveWorld(of);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

/** Looks at every visited page and at the pages around it. Returns whether every visited one can be judged. */
async function recordBeside(
  { browser, identity, redactor, maxPages, listener }: RecordOptions,
  web: LiveWeb,
  recorder: Recorder,
  visited: Visited,
): Promise<boolean> {
  const of = { identity, web, answer: (request: Request) => recorder.answer(OFF_ROUTE, request) };
  let canBeJudged = true;
  for (const [url, capMs] of visited) {
    const { uncaptured, lookMs } = await inWorld(of, (world) => weigh(url, { browser, world, redactor }));
    canBeJudged &&= uncaptured === null;
    if (uncaptured !== null) listener.unreadable(url, uncaptured);
    if (lookMs !== null && lookMs > capMs * HEAVY_LOOK) listener.heavy(url, lookMs, capMs);
  }
  if (maxPages > 0) {
    const { page: onPage, closed: onClosed } = listener;
    await inWorld(of, (world) => crawl({ browser, world, visited: [...visited.keys()], maxPages, onPage, onClosed }));
  }
  return canBeJudged;
}

function addressesIn({ pages }: Evidence): string[] {
  const addresses = pages.flatMap(({ url, history }) => [
    ...(url.captured ? [url.value] : []),
    ...(history.captured ? history.value : []),
  ]);
  return addresses.filter((address) => /^https?:/.test(address)).map(withoutFragment);
}

/** A way through a task that is followed while the web is recorded. */
export interface Route {
  /** Name of its exchanges in the archive, for example `send (near-miss 1)`. */
  page: string;
  steps: readonly Intent[];
  /** The status that proves the task on the archive. */
  expected: Extract<Status, 'passed' | 'failed'>;
}

/** The routes of a task that trials follow: its solutions on the page, and its near-misses. */
export function routesOf(task: Task): Route[] {
  const name = taskName(task);
  const solutions = (task.solutions ?? []).filter((each) => each.for === 'page');
  return [
    ...solutions.map(({ steps }, index): Route => {
      const page = routeName(name, index === 0 ? null : `solution ${index + 1}`);
      return { page, steps, expected: 'passed' };
    }),
    ...(task.nearMisses ?? []).map(({ steps }, index): Route => {
      return { page: routeName(name, `near-miss ${index + 1}`), steps, expected: 'failed' };
    }),
  ];
}

export interface Weight {
  /** Why the judge cannot read it; null when it can. */
  uncaptured: string | null;
  /** Time of one look through `aria`; null if none worked. */
  lookMs: number | null;
}

/** Opens a page as an episode does: the judge captures it, and an agent looks at it once. */
export async function weigh(
  url: string,
  { browser, world, redactor }: { browser: JudgedBrowser; world: World; redactor: Redactor },
): Promise<Weight> {
  const task = defineTask({
    id: 'weigh',
    title: 'Weigh a page',
    startUrl: url,
    goal: 'Look at the page.',
    success: { kind: 'url', pattern: '^never:' },
  });
  const weight: Weight = { uncaptured: null, lookMs: null };
  const sink = {
    event: (event: EpisodeEvent): void => {
      if (event.type === 'result') weight.lookMs = event.tool_ms;
    },
    clean: redactor.json,
    evidence: (_moment: string, captured: Evidence): Promise<string> => {
      weight.uncaptured ??= uncapturedIn(captured)[0]?.why ?? null;
      return Promise.resolve('');
    },
  };
  const agent = referenceAgent('reference', [{ do: 'read' }]);
  const { status, detail } = await runEpisode({ task, agent, surface: aria, browser, world, sink });
  if (weight.lookMs === null) weight.uncaptured ??= detail ?? `the episode ended as ${status}`;
  return weight;
}

/** The open pages that could not be read, except those behind a dialog. */
export function uncapturedIn({ pages }: Evidence): { url: string; why: string }[] {
  return pages.flatMap(({ url, dom, dialog }) =>
    dom.captured || dialog !== null
      ? []
      : [{ url: url.captured ? url.value : 'a page without an address', why: dom.why }],
  );
}
