/**
 * What does the whole harness cost? The form task of `basics` as a full episode (context isolation, all evidence, bundle
 * on disk) against bare playwright-core that takes the same steps, makes the same observations and settles as long, on
 * the same app behind a plain HTTP server. Interleaved; prints the ratio of medians, with the waits for the page to
 * settle and without them, and where the rest goes.
 *
 *   npm run bench:overhead [-- <rounds>] [--film]   # with --film, a picture is kept of each step
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { requireBrowser } from '../src/browser/find.ts';
import type { Row } from '../src/bundle/row.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { Entrants } from '../src/plan/entrants.ts';
import { planCampaign } from '../src/plan/plan-campaign.ts';
import { runCampaign } from '../src/run/run-campaign.ts';
import { SETTLE_MS } from '../src/episode/settle.ts';
import { median } from '../src/stats/resampling.ts';
import { loadSuite } from '../src/task/load-suite.ts';
import { serveApp } from './served-app.ts';

const { positionals, values: asked } = parseArgs({ options: { film: { type: 'boolean' } }, allowPositionals: true });
const rounds = Number(positionals[0] ?? 30);
const TASK = 'local-form-submit';
const WARM_UP = 3;

const root = packageRoot();
const loaded = await loadSuite(path.join(root, 'suites/basics'));
if (!loaded.ok) throw new Error('suite basics does not load');
const { suite } = loaded;
const entrants = await Entrants.load();
const plan = await planCampaign(
  {
    suites: [suite],
    agents: ['reference'],
    surfaces: ['aria'],
    only: [TASK],
    iterations: rounds + WARM_UP,
    seed: 1,
    isolation: 'context',
    browserKind: 'full',
    live: false,
    film: asked.film === true,
  },
  entrants,
);

const app = await serveApp(path.join(root, 'apps/basics/app.ts'));
const bare = await chromium.launch({
  executablePath: requireBrowser('full').path,
  args: ['--no-sandbox', '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup'],
});
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-overhead-'));
const bareTimes: number[] = [];
const fullTimes: number[] = [];
const rows: Row[] = [];
// An episode lasts from the end of the bare round before it (or the end of set-up) to its sealed row.
let begun = 0;

await runCampaign({
  plan,
  suites: [suite],
  entrants,
  suiteNames: ['basics'],
  folder,
  resume: false,
  redactor: { text: (text) => text, json: (value) => value },
  signal: new AbortController().signal,
  listener: {
    started: () => {
      begun = performance.now();
    },
    finished: async (row) => {
      fullTimes.push(performance.now() - begun);
      rows.push(row);
      bareTimes.push(await bareEpisode(bare, app.address));
      process.stderr.write(`\r${rows.length}/${plan.iterations}`);
    },
  },
});
await bare.close();
app.close();
await rm(folder, { recursive: true });
report();

/** The same task by hand: a fresh context, the same steps and observations, the same settling. */
async function bareEpisode(browser: Browser, address: string): Promise<number> {
  const start = performance.now();
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${address}/contact`);
  await sleep(SETTLE_MS);
  await observe(page);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await observe(page);
  await page.getByLabel('Email').fill('ada@example.org');
  await observe(page);
  await page.getByLabel('Topic').selectOption('Support');
  await observe(page);
  await page.getByRole('button', { name: 'Send' }).click();
  await observe(page);
  await page.getByText('received your message').waitFor();
  await observe(page);
  await sleep(SETTLE_MS);
  await context.close();
  return performance.now() - start;
}

async function observe(page: Page): Promise<void> {
  await page.ariaSnapshot({ mode: 'ai' });
}

function report(): void {
  const failed = rows.filter(({ status }) => status !== 'passed').length;
  const [full, plain] = [fullTimes, bareTimes].map((times) => median(times.slice(WARM_UP)));
  if (full == null || plain == null) throw new Error('nothing was measured');
  const part = (pick: (row: Row) => number | null): string => `${median(rows.slice(WARM_UP).map(pick))?.toFixed(0)} ms`;
  console.log(`\r${rounds} rounds, interleaved${failed === 0 ? '' : `; ${failed} episodes did not pass`}`);
  console.log(`bare playwright-core   ${plain.toFixed(0)} ms`);
  console.log(`full episode           ${full.toFixed(0)} ms`);
  const waits = 2 * SETTLE_MS;
  console.log(`ratio of medians       ${(full / plain).toFixed(3)}`);
  console.log(`  without the waits    ${((full - waits) / (plain - waits)).toFixed(3)}`);
  console.log(`  the agent's play     ${part((row) => row.wall_ms)}`);
  console.log(`  settling, 2 ×        ${part((row) => row.settle_ms)}   (${waits} ms of it are waiting, as in bare)`);
  console.log(`  storing and judging  ${part((row) => row.judge_ms)}`);
}
