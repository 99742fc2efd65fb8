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
import { BESIDE, routeName } from '../../world/archive/route-name.ts';
import { withoutRepeats } from '../../world/archive/changes.ts';
import { crawl, withoutFragment } from './crawl.ts';
import type { Intent } from '../../task/intent.ts';
import type { EpisodeEvent } from '../../episode/events.ts';
import { defineTask } from '../../task/validate.ts';
import type { World } from '../../world/way-in.ts';

export interface RecordOptions {
  suite: LoadedSuite;
  browser: JudgedBrowser;
  /** The key that the browser trusts. */
  identity: TlsIdentity;
  /** Where the recorded bodies are kept. */
  bodies: BodyStore;
  redactor: Redactor;
  /** Where to connect to instead, see `parseConnectTo`. */
  connectTo: readonly string[];
  /** Most pages of one site that are recorded in addition to those that the routes visit. */
  maxPages: number;
  /** Query parameters that do not count. */
  ignoreQuery: ReadonlySet<string>;
  listener: RecordListener;
}

export interface RecordListener {
  route: (route: Route, status: Status, detail: string | null) => void;
  /** Takes each task without a route on the page. */
  withoutRoute: (task: string) => void;
  page: (url: string) => void;
  /** Takes each page on the routes that the judge cannot read, so that nothing on it can be judged. */
  unreadable: (url: string, why: string) => void;
  /** Takes each page on which one look takes more than a tenth of the time of a task, both in ms. */
  heavy: (url: string, lookMs: number, capMs: number) => void;
  /** Takes each page off the routes that could not be opened. */
  closed: (url: string, why: string) => void;
}

/** Time for open streams to end after the last page, in ms. */
const END_MS = 5_000;
/** The share of a task's cap from which on one look is heavy. */
const HEAVY_LOOK = 0.1;

/**
 * Walks each task's solutions and near-misses on the live web, then the pages around them, and records every exchange.
 * @returns the index of the archive, and whether every task has a solution, every route ended as it must, and every page on them can be judged
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

/** The pages that were visited, by address without fragment, and the smallest cap of the tasks that led there, in ms. */
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

/** Works in a world that ends afterwards. Each episode needs its own, since it cuts its world at its end. */
async function inWorld<T>(of: Parameters<typeof startLiveWorld>[0], work: (world: World) => Promise<T>): Promise<T> {
  const world = await startLiveWorld(of);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

/** Looks at every visited page and at the pages around them; false if a visited one cannot be judged. */
async function recordBeside(
  { browser, identity, redactor, maxPages, listener }: RecordOptions,
  web: LiveWeb,
  recorder: Recorder,
  visited: Visited,
): Promise<boolean> {
  const of = { identity, web, answer: (request: Request) => recorder.answer(BESIDE, request) };
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

/** Where the pages of an episode have been. */
function addressesIn({ pages }: Evidence): string[] {
  const addresses = pages.flatMap(({ url, history }) => [
    ...(url.captured ? [url.value] : []),
    ...(history.captured ? history.value : []),
  ]);
  return addresses.filter((address) => /^https?:/.test(address)).map(withoutFragment);
}

/** A way through a task that is walked while the web is recorded. */
export interface Route {
  /** The owner of what it meets in the archive, for example `send (near-miss 1)`. */
  page: string;
  steps: readonly Intent[];
  /** The status in which it must end for the task to be provable on the archive. */
  expected: Extract<Status, 'passed' | 'failed'>;
}

/** The routes of a task that trials of it take: its solutions on the page, the first of them first, and its near-misses. */
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

/** The cost of one page to an episode. */
export interface Weight {
  /** Why the judge cannot read it; null when it can. */
  uncaptured: string | null;
  /** One look through `aria`, in ms; null where it came to none. */
  lookMs: number | null;
}

/** Opens a page as an episode does: the judge captures it, and an agent looks once. */
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
  if (weight.lookMs === null) weight.uncaptured ??= detail ?? `the episode came to ${status}`;
  return weight;
}

/** The open pages that could not be read, and why; those behind a dialog do not count. */
export function uncapturedIn({ pages }: Evidence): { url: string; why: string }[] {
  return pages.flatMap(({ url, dom, dialog }) =>
    dom.captured || dialog !== null
      ? []
      : [{ url: url.captured ? url.value : 'a page without an address', why: dom.why }],
  );
}
