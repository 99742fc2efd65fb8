/**
 * Does a bundle of many episodes stay smooth to look at? Starts `touchstone show --serve` over one that is made of a committed
 * one, and opens it in Chromium: seconds until it serves, until the report is drawn, until a filter has narrowed the index, until
 * the index has scrolled to its end, and until the page of an episode is there.
 *
 *   npm run bench:show [-- --episodes 10000]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { requireBrowser } from '../src/browser/find.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { openBundle } from '../src/cli/bundles.ts';
import { packedBundle } from '../scripts/draw-bundles.ts';
import { makeLargeBundle } from './large-bundle.ts';

const { values } = parseArgs({ options: { episodes: { type: 'string', default: '10000' } } });
using opened = await openBundle(packedBundle('tool-servers'));
const source = opened.layout.root;
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-bench-show-'));
try {
  const episodes = await makeLargeBundle({ source, folder, episodes: Number(values.episodes) });
  console.log(`${episodes} episodes`);
  await lookAt(folder);
} finally {
  await rm(folder, { recursive: true });
}

async function lookAt(bundle: string): Promise<void> {
  const begun = performance.now();
  const command = [...process.execArgv, path.join(packageRoot(), 'src/cli/main.ts'), 'show', bundle, '--serve'];
  const server = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const browser = await chromium.launch({ executablePath: requireBrowser('full').path, chromiumSandbox: false });
  try {
    const [address] = await once(createInterface({ input: server.stdout }), 'line');
    tell('serves', begun);
    const page = await browser.newPage();
    await timed('report', async () => {
      await page.goto(String(address), { waitUntil: 'load' });
      await drawn(page);
    });
    await timed('filter', async () => {
      await page.locator('#filter-status').selectOption({ index: 1 });
      await drawn(page);
    });
    await timed('scroll', async () => {
      await page.locator('#index').evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
      await drawn(page);
    });
    await timed('episode', async () => {
      const arrived = page.waitForURL(({ pathname }) => pathname !== '/');
      await page.locator('tbody#rows a').last().click();
      await arrived;
    });
  } finally {
    await browser.close();
    server.kill('SIGINT');
    await once(server, 'exit');
  }
}

/** Until a row is there, and two frames have been painted with it. */
async function drawn(page: Page): Promise<void> {
  await page.locator('tbody#rows a').first().waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function timed(name: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  tell(name, begun);
}

function tell(name: string, begun: number): void {
  console.log(`${name.padEnd(8)} ${((performance.now() - begun) / 1_000).toFixed(2)} s`);
}
