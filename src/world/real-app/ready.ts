import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../process/listening-port.ts';
import type { AppProcess } from './app-process.ts';

/** For what hangs, in ms: on a busy machine, a large application may well take half a minute. */
export const APP_START_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 50;
/** A question that was lost is asked again. */
const ASK_TIMEOUT_MS = 30_000;

/**
 * Waits until an application answers; false when it has ended before, or has not done so in time.
 * @param answers asks it once, and may take as long as it is told, in ms
 * @param isHopeless whether it can be told already that it will never answer
 */
export async function isReady(
  child: AppProcess,
  answers: (limitMs: number) => Promise<boolean>,
  timeoutMs = APP_START_TIMEOUT_MS,
  isHopeless = (): boolean => false,
): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const left = Math.ceil(giveUpAt - performance.now());
    if (!child.isRunning || left <= 0) return false;
    if (await answers(Math.min(left, ASK_TIMEOUT_MS))) return true;
    if (isHopeless()) return false;
    await sleep(ASK_EVERY_MS);
  }
}

/** Ports that were given out last: whoever was told one may not listen there yet. */
const given: number[] = [];
/** Number of those that are remembered: far more than start at once, and far fewer than there are. */
const REMEMBERED = 256;

/** A port of loopback at which nobody listens now, and nobody was told to. */
export async function freePort(): Promise<number> {
  const port = await anyPort();
  if (given.includes(port)) return await freePort();
  given.push(port);
  if (given.length > REMEMBERED) given.shift();
  return port;
}

async function anyPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
