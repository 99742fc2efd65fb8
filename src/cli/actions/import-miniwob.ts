import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { requireBrowser } from '../../browser/find.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { clockScript } from '../../browser/page-clock.ts';
import { sha256Hex } from '../../contract/canonical.ts';
import { messageOf } from '../../contract/message-of.ts';
import { commitOf } from '../../dataset/import-checkout.ts';
import { contractFor } from '../../dataset/miniwob/contract.ts';
import {
  coverableIn,
  type ExcludedPage,
  HTML,
  MINIWOB,
  type RegisteredPage,
  REGISTRATION,
  registeredPages,
} from '../../dataset/miniwob/pages.ts';
import { readingScript, SeenPage } from '../../dataset/miniwob/seen-page.ts';
import { pageAddress, CLOCK, ORIGIN, type SeededPage, suiteOf, taskOf, VIEWPORT } from '../../dataset/miniwob/suite.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import { hashTree } from '../../plan/pins.ts';
import { counted } from '../../report/numbers.ts';
import { makeNewFolder } from '../../run/new-folder.ts';
import { PACKAGE_APPS } from '../../task/suite-paths.ts';
import type { App } from '../../world/app.ts';
import { loadApp } from '../../world/load-app.ts';
import { startLocalWorld } from '../../world/local.ts';
import { staticSite } from '../../world/static-site.ts';
import { createTlsIdentity } from '../../world/tls-identity.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printResult, type Terminal } from '../terminal.ts';
import { placesFrom, writeJson } from './import-files.ts';

const APP = path.join(PACKAGE_APPS, 'miniwob/app.ts');
const LOAD_TIMEOUT_MS = 30_000;
const NOTED_EACH = 25;
/** More would exceed the size of a file that can be read. */
const TASKS_IN_FILE = 200;

interface Import {
  checkout: string;
  out: string;
  /** Seeds 0 to this, without it. */
  seeds: number;
  json: boolean;
}

/** Writes a suite over a checkout of MiniWoB++, each page and seed of which is read once in Chromium. */
export async function importMiniwob({ checkout, out, seeds, json }: Import, terminal: Terminal): Promise<ExitCode> {
  const { pages, excluded: notImported } = await registeredPages(checkout);
  await makeNewFolder(out);
  const folder = path.join(checkout, HTML);
  const sha256 = await hashTree({ places: [folder] });
  const read = await readPages(folder, { pages, seeds }, terminal);
  const excluded = [...notImported, ...read.excluded];
  await writeSuite(out, { folder, sha256, seen: read.seen });
  const dataset = {
    schema_version: 1,
    dataset: MINIWOB.name,
    importer_version: MINIWOB.version,
    upstream: MINIWOB.repository,
    commit: await commitOf(checkout),
    licence: MINIWOB.licence,
    files: [
      { file: REGISTRATION, sha256: sha256Hex(await readFile(path.join(checkout, REGISTRATION))) },
      { file: HTML, sha256 },
    ],
    seeds: { first: 0, count: seeds },
    presentation: { viewport: VIEWPORT, zoom: 1, rewards_shown: false, clock: CLOCK },
    pages: new Set(read.seen.map(({ id }) => id)).size,
    tasks: read.seen.length,
    counts: {
      draft: read.seen.length,
      'needs a contract': excluded.filter(({ why }) => why.code === 'miniwob_pays').length,
    },
    judged_by_document_too: read.seen.filter(({ id, seen }) => contractFor(id, seen).readsDocument).length,
    excluded: excluded.map(({ id, seed, line, why }) => ({ id, seed, line, why: messageFor(why) })),
  };
  await writeJson(path.join(out, 'dataset.json'), dataset);
  printResult(terminal, json, dataset, () => [
    ...dataset.excluded.map(({ id, seed, why }) => `excluded ${id}${seed === null ? '' : `@${seed}`}: ${why}`),
    ...Object.entries(dataset.counts).map(([standing, count]) => `${String(count).padStart(6)}  ${standing}`),
    `${counted(dataset.tasks, 'task')} of ${counted(dataset.pages, 'page')}: ${path.join(out, 'suite.json')}`,
  ]);
  return excluded.some(({ isProblem }) => isProblem) ? EXIT.gateNotMet : EXIT.done;
}

interface Read {
  seen: SeededPage[];
  excluded: ExcludedPage[];
}

/** Reads each page with each seed, as the app of the suite serves it. */
async function readPages(
  folder: string,
  { pages, seeds }: { pages: readonly RegisteredPage[]; seeds: number },
  terminal: Terminal,
): Promise<Read> {
  const create = await loadApp(APP);
  const data = async (request: Request) => await staticSite(folder).fetch(request);
  let app: App | null = null;
  const fetch = async (request: Request) => (await app?.fetch(request)) ?? new Response(null, { status: 404 });
  const identity = await createTlsIdentity();
  const site = { origin: ORIGIN, create: () => ({ fetch, state: () => null }), hasState: false, standIn: false };
  const world = await startLocalWorld({ sites: [site], parameters: {}, identity, live: false });
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  const read: Read = { seen: [], excluded: [] };
  try {
    const context = await (await browser.playwright()).newContext({ proxy: world.proxy, viewport: VIEWPORT });
    await context.addInitScript(clockScript(Date.parse(CLOCK) - Date.now()));
    const page = await context.newPage();
    for (const [at, { id, line }] of pages.entries()) {
      if (at % NOTED_EACH === 0) terminal.note(`reading ${pages.length - at} pages, from ${id} on`);
      for (let seed = 0; seed < seeds; seed += 1) {
        app = await create({ page: id, seed }, { clock: CLOCK, offsetMs: 0, now: () => Date.now(), data });
        try {
          await page.goto(pageAddress(id), { timeout: LOAD_TIMEOUT_MS });
          const seen = SeenPage.parse(await page.evaluate(readingScript(coverableIn(id))));
          if (seen.coveredBy === null) read.seen.push({ id, seed, seen });
          else read.excluded.push({ id, seed, line, why: coveredBy(id, seen.coveredBy), isProblem: false });
        } catch (error) {
          const why = fact('miniwob_not_started', { why: messageOf(error) });
          read.excluded.push({ id, seed, line, why, isProblem: true });
        }
      }
    }
  } finally {
    await browser.close();
    await world.close();
  }
  return read;
}

function coveredBy(id: string, by: string): ExcludedPage['why'] {
  return fact('miniwob_covered', { target: coverableIn(id) ?? '', by });
}

/** Writes the suite file, and for each page a file of its tasks. Paths in it are relative to it. */
async function writeSuite(
  out: string,
  { folder, sha256, seen }: { folder: string; sha256: string; seen: readonly SeededPage[] },
): Promise<void> {
  const from = placesFrom(out);
  await writeJson(path.join(out, 'suite.json'), suiteOf({ app: from(APP), folder: from(folder), sha256 }));
  await mkdir(path.join(out, 'tasks'));
  for (const id of new Set(seen.map((each) => each.id))) {
    const tasks = seen.filter((each) => each.id === id).map(taskOf);
    for (let at = 0; at < tasks.length; at += TASKS_IN_FILE) {
      const name = at === 0 ? id : `${id}.${at / TASKS_IN_FILE}`;
      await writeJson(path.join(out, 'tasks', `${name}.json`), tasks.slice(at, at + TASKS_IN_FILE));
    }
  }
}
