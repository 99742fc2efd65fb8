import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { packageRoot } from '../src/plan/package-root.ts';

export interface Measured {
  seconds: number;
  /** The largest resident set that the process had, in MB. */
  peakRssMb: number;
}

/**
 * Runs a command line of Touchstone in its own process, as a user does, and measures it.
 * @throws Error with its output, when it does not end with 0.
 */
export async function measured(args: readonly string[]): Promise<Measured> {
  const begun = performance.now();
  const main = path.join(packageRoot(), 'src/cli/main.ts');
  // The process writes its own peak behind all else, at its very end.
  const tell = 'process.on("exit", () => process.stderr.write(`\\npeak ${process.resourceUsage().maxRSS}`))';
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(tell)}`, main, ...args],
    { cwd: packageRoot(), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  await once(child, 'close');
  const peak = /\npeak (\d+)$/.exec(err)?.[1];
  if (child.exitCode !== 0 || peak === undefined) {
    throw new Error(`touchstone ${args.join(' ')} ended with ${child.exitCode ?? child.signalCode}\n${out}${err}`);
  }
  return { seconds: (performance.now() - begun) / 1_000, peakRssMb: Number(peak) / 1024 };
}
