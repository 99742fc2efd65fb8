import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeLargeBundle } from '../../bench/large-bundle.ts';
import { committedBundle } from '../committed-bundle.ts';

const MB = 1024 * 1024;
const TOOL_SERVERS = await committedBundle('tool-servers');
/** All rows of the bundle together are larger than what the program may have for everything. */
const [EPISODES, ROW_BYTES, HEAP_MB] = [200, MB, 150];

/** How a process ends; by default one whose heap may not grow beyond this. */
async function endOf(
  args: readonly string[],
  limits: readonly string[] = [`--max-old-space-size=${HEAP_MB}`],
): Promise<{ exit: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...limits, '--import', 'tsx', ...args]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  await once(child, 'close');
  return { exit: child.exitCode, out, err };
}

describe('a bundle whose rows do not fit into memory', () => {
  let bundle = '';
  beforeAll(async () => {
    bundle = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
    await makeLargeBundle({
      source: await committedBundle('webvoyager'),
      folder: bundle,
      agents: ['null'],
      episodes: EPISODES,
      rowBytes: ROW_BYTES,
    });
    return async () => rm(bundle, { recursive: true });
  }, 300_000);

  it('verify reads every row, and names each larger than its events, and the missing report', async () => {
    const { exit, out } = await endOf(['src/cli/main.ts', 'verify', bundle]);
    expect(out).toContain('report.json: is missing');
    expect(out).toContain(`does not hold: ${EPISODES + 1} records are wrong`);
    expect(exit).toBe(1);
  });

  it('holding all rows at once runs out of memory', async () => {
    const read = `import { readCountedRows } from './src/bundle/sealed-rows.ts';
      import { bundleLayout } from './src/bundle/layout.ts';
      console.log((await readCountedRows(bundleLayout(${JSON.stringify(bundle)}))).length);`;
    const { exit, out, err } = await endOf(['--input-type=module', '--eval', read]);
    expect(out).toBe('');
    expect(err).toContain('heap out of memory');
    expect(exit).not.toBe(0);
  });
});

describe('many rows', () => {
  // Less than half of their size when read whole, in addition to program and reports (130 MB); `npm run bench:report` draws a million.
  // Left to itself Node lets garbage lie, as much as the machine has room for.
  const LIMIT = ['--max-old-space-size=230'];

  it('a report keeps only what figures need of each, and lists only the first', async () => {
    const { exit, out } = await endOf(['bench/report.ts', '--rows', '120000', '--bundle-rows', '0'], LIMIT);
    expect(exit).toBe(0);
    expect(Number(/peak RSS (\d+) MB/.exec(out)?.[1])).toBeLessThan(380);
  });

  it('holding half of them runs out of memory', async () => {
    const held = `import { readCountedRows } from './src/bundle/sealed-rows.ts';
      import { bundleLayout } from './src/bundle/layout.ts';
      const rows = await readCountedRows(bundleLayout(${JSON.stringify(TOOL_SERVERS)}));
      const held = Array.from({ length: 60_000 }, (_, at) => structuredClone(rows[at % rows.length]));
      console.log(held.length + ' rows');`;
    const { exit, out, err } = await endOf(['--input-type=module', '--eval', held], LIMIT);
    expect(out).toBe('');
    expect(err).toContain('heap out of memory');
    expect(exit).not.toBe(0);
  });
});
