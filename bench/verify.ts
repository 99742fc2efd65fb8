/**
 * How long does `touchstone verify` take over a large bundle, against `sha256sum` over all of its files, which reads every byte
 * and judges nothing? And how much memory? The bundle is made of a committed one, in a temporary folder: many episodes, each
 * with a picture and evidence of its own. Interleaved; prints the ratio of medians and the peak RSS of verify.
 *
 *   npm run bench:verify [-- --megabytes 1024 --rounds 3]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { median } from '../src/stats/resampling.ts';
import { openBundle } from '../src/cli/bundles.ts';
import { packedBundle } from '../scripts/draw-bundles.ts';
import { makeLargeBundle } from './large-bundle.ts';
import { measured } from './measured-process.ts';

const MB = 1024 * 1024;
/** Of the picture that each episode has for itself: what a full page in a large window takes. */
const SCREENSHOT_BYTES = 256 * 1024;

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '1024' }, rounds: { type: 'string', default: '3' } },
});
const [megabytes, rounds] = [Number(values.megabytes), Number(values.rounds)];
using opened = await openBundle(packedBundle('tool-servers'));
const source = opened.layout.root;
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-bench-verify-'));
try {
  const episodes = await makeLargeBundle({
    source,
    folder,
    episodes: Math.ceil((megabytes * MB) / (SCREENSHOT_BYTES + 16 * 1024)),
    screenshotBytes: SCREENSHOT_BYTES,
  });
  // The reports are drawn as a user would have them drawn; that verifies, too.
  await measured(['report', folder]);
  const times: { verify: number[]; sha256sum: number[] } = { verify: [], sha256sum: [] };
  let peakMb = 0;
  for (let round = 0; round < rounds; round += 1) {
    times.sha256sum.push(await sha256sum(folder));
    const { seconds, peakRssMb } = await measured(['verify', folder]);
    times.verify.push(seconds);
    peakMb = Math.max(peakMb, peakRssMb);
  }
  const [verify, sum] = [median(times.verify) ?? Number.NaN, median(times.sha256sum) ?? Number.NaN];
  console.log(`bundle      ${(await bytesIn(folder)) / MB} MB, ${episodes} episodes`);
  console.log(`verify      ${verify.toFixed(2)} s, peak RSS ${peakMb.toFixed(0)} MB`);
  console.log(`sha256sum   ${sum.toFixed(2)} s`);
  console.log(`ratio       ${(verify / sum).toFixed(1)} (medians of ${rounds}, interleaved)`);
} finally {
  await rm(folder, { recursive: true });
}

/** Seconds that one `sha256sum` over all files takes. */
async function sha256sum(root: string): Promise<number> {
  const begun = performance.now();
  await promisify(execFile)('sh', [
    '-c',
    'find "$1" -type f -print0 | xargs -0 sha256sum > "$1.sums"; rm "$1.sums"',
    'sh',
    root,
  ]);
  return (performance.now() - begun) / 1_000;
}

async function bytesIn(root: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return Math.round(total);
}
