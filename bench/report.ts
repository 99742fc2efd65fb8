/**
 * How long does `touchstone report` take over many rows, and how much memory? Two figures: the drawing alone, of rows that come one
 * at a time and are not held; and the whole command over a bundle on disk, which verifies every row before it draws.
 *
 *   npm run bench:report [-- --rows 1000000 --bundle-rows 10000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleLayout } from '../src/bundle/layout.ts';
import { readCountedRows } from '../src/bundle/sealed-rows.ts';
import { readCampaignFile } from '../src/plan/campaign-file.ts';
import { drawReport, reportFiles } from '../src/cli/drawn-files.ts';
import { CountedRows } from '../src/report/counted-rows.ts';
import { openBundle } from '../src/cli/bundles.ts';
import { packedBundle } from '../scripts/draw-bundles.ts';
import { makeLargeBundle } from './large-bundle.ts';
import { measured } from './measured-process.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    'bundle-rows': { type: 'string', default: '10000' },
  },
});
using opened = await openBundle(packedBundle('tool-servers'));
const source = opened.layout.root;
await drawAlone(Number(values.rows));
if (Number(values['bundle-rows']) > 0) await wholeCommand(Number(values['bundle-rows']));

/** In this process: the rows of the source, again and again, each with a place and a time of its own. */
async function drawAlone(count: number): Promise<void> {
  const layout = bundleLayout(source);
  const campaign = await readCampaignFile(layout);
  const rows = await readCountedRows(layout);
  const iterations = Math.ceil(count / rows.length);
  const begun = performance.now();
  const counted = new CountedRows();
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    for (const [at, row] of rows.entries()) {
      // As if it had been read: nothing of it is shared with another.
      const own = structuredClone(row);
      const wall = own.wall_ms === null ? null : own.wall_ms + iteration / 1_000;
      counted.take({ ...own, iteration, plan_index: iteration * rows.length + at, wall_ms: wall });
    }
  }
  const drawn = drawReport({ ...campaign, plan: { ...campaign.plan, iterations } }, counted, true);
  let bytes = 0;
  for (const { text } of reportFiles(drawn, layout)) bytes += (await text()).length;
  const seconds = (performance.now() - begun) / 1_000;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `drawing     ${counted.figured.length} rows: ${seconds.toFixed(1)} s, peak RSS ${peak.toFixed(0)} MB, ${(bytes / 1e6).toFixed(1)} MB of reports`,
  );
}

async function wholeCommand(count: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-bench-report-'));
  try {
    const episodes = await makeLargeBundle({ source, folder, episodes: count });
    const { seconds, peakRssMb } = await measured(['report', folder]);
    console.log(
      `report      ${episodes} rows: ${seconds.toFixed(1)} s (${((seconds / episodes) * 1_000).toFixed(2)} ms a row), peak RSS ${peakRssMb.toFixed(0)} MB`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
