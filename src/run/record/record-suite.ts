import os from 'node:os';
import { referenceAgent } from '../../agent/reference.ts';
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
import { parseConnectTo } from '../../world/live/connect-to.ts';
import { LiveWeb } from '../../world/live/live-web.ts';
import { startLiveWorld } from '../../world/live/live-world.ts';
import type { TlsIdentity } from '../../world/tls-identity.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { crawl } from './crawl.ts';

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
  /** Most pages of one site that are recorded beside those that the solutions visit. */
  maxPages: number;
  listener: RecordListener;
}

export interface RecordListener {
  task: (id: string, status: Status | 'no solution', detail: string | null) => void;
  page: (url: string) => void;
}

/** How long after the last page what still streams may take to its end, in ms. */
const END_MS = 5_000;
/** What was found beside every task's own path. No task has an id with a space. */
const BESIDE = 'beside the tasks';

/**
 * Lets each task's solution act on the live web, then looks at what lies beside its path, and records every exchange.
 * @returns the index of the archive, and whether every solution passed
 * @throws WorldError `cannot_record` when it is not understood where to connect to.
 */
export async function recordSuite(options: RecordOptions): Promise<{ har: Har; allPassed: boolean }> {
  const { suite, bodies, redactor, connectTo, maxPages, listener, browser } = options;
  const web = new LiveWeb(connectTo.map(parseConnectTo));
  const recorder = new Recorder({ web, bodies, redact: (text) => redactor.text(text) });
  const startedAt = new Date();
  const visited = new Set<string>();
  let allPassed = true;
  try {
    for (const { task } of suite.tasks) {
      const { status, detail } = await recordTask(options, { web, recorder, task, visited });
      allPassed &&= status === 'passed';
      listener.task(task.id, status, detail);
    }
    if (maxPages > 0) await recordBeside(options, web, recorder, [...visited]);
    const { entries, notRecorded } = await recorder.finish(END_MS);
    const { name, version } = browser.identity;
    const provenance: Provenance = {
      kind: 'recorded',
      started_at: startedAt.toISOString(),
      ended_at: new Date().toISOString(),
      browser: `${name} ${version}`,
      platform: `${os.platform()} ${os.arch()}`,
      connect_to: [...connectTo],
    };
    return { allPassed, har: harOf(suite, entries, { schema_version: 1, provenance, not_recorded: [...notRecorded] }) };
  } finally {
    web.close();
  }
}

function harOf({ tasks }: LoadedSuite, entries: HarEntry[], touchstone: Har['log']['_touchstone']): Har {
  const places = [...tasks.map(({ task }) => task), { id: BESIDE, title: BESIDE }];
  const pages = places.flatMap(({ id, title }) => {
    const first = entries.find(({ pageref }) => pageref === id);
    return first === undefined ? [] : [{ startedDateTime: first.startedDateTime, id, title, pageTimings: {} }];
  });
  const creator = { name: 'Touchstone', version: packageVersion() };
  return { log: { version: '1.2', creator, pages, entries, _touchstone: touchstone } };
}

interface Recording {
  web: LiveWeb;
  recorder: Recorder;
  task: Task;
  /** Takes the addresses of the pages that are visited. */
  visited: Set<string>;
}

async function recordTask(
  { browser, identity, redactor }: RecordOptions,
  { web, recorder, task, visited }: Recording,
): Promise<{ status: Status | 'no solution'; detail: string | null }> {
  const solution = task.solutions?.find((each) => each.for === 'page');
  if (solution === undefined) return { status: 'no solution', detail: null };
  const world = await startLiveWorld({ identity, web, answer: (request) => recorder.answer(task.id, request) });
  try {
    const agent = referenceAgent('reference', solution.steps);
    const evidence = (_moment: string, captured: Evidence): Promise<string> => {
      for (const url of addressesIn(captured)) visited.add(url);
      return Promise.resolve('');
    };
    const sink = { event: () => {}, clean: redactor.json, evidence };
    return await runEpisode({ task, agent, surface: aria, browser, world, sink });
  } finally {
    await world.close();
  }
}

async function recordBeside(
  { browser, identity, maxPages, listener }: RecordOptions,
  web: LiveWeb,
  recorder: Recorder,
  visited: readonly string[],
): Promise<void> {
  const world = await startLiveWorld({ identity, web, answer: (request) => recorder.answer(BESIDE, request) });
  try {
    await crawl({ browser, world, visited, maxPages, onPage: listener.page });
  } finally {
    await world.close();
  }
}

/** Where the pages of an episode have been. */
function addressesIn({ pages }: Evidence): string[] {
  const addresses = pages.flatMap(({ url, history }) => [
    ...(url.captured ? [url.value] : []),
    ...(history.captured ? history.value : []),
  ]);
  return addresses.filter((address) => /^https?:/.test(address));
}
