import net from 'node:net';
import type { AppProcess } from '../real-app/app-process.ts';

/** The share of its time after which a program that listens at other ports alone is given up: its helpers may come first. */
const PATIENCE = 1 / 4;
/** Time between two looks, in ms. */
const LOOK_EVERY_MS = 500;
/** Time that a program may take to be connected to, in ms. The kernel of one that accepts nothing is silent for minutes. */
const CONNECT_MS = 1_000;

/** A look at whether a program has long been listening, and never at the port that it was given. */
export function longElsewhere(child: Pick<AppProcess, 'listening'>, port: number, timeoutMs: number): () => boolean {
  let since: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_EVERY_MS) return false;
    lookedAt = now;
    const ports = child.listening();
    if (ports.length === 0 || ports.includes(port)) since = null;
    else since ??= now;
    return since !== null && now - since >= timeoutMs * PATIENCE;
  };
}

/** Say why nobody reaches a program at the port that it was given, and what to do; null where somebody listens there. */
export async function unreached(
  child: Pick<AppProcess, 'listening'>,
  port: number,
): Promise<{ why: string; remedy: string } | null> {
  if (await isListening(port)) return null;
  const ports = child.listening();
  const other = ports.filter((each) => each !== port).join(', ');
  const found = ports.includes(port)
    ? ', though on another address'
    : other === ''
      ? ''
      : `; it listens on port ${other} instead`;
  return {
    why: `nothing listens on 127.0.0.1:${port}, the port in {{port}}${found}`,
    remedy: 'make the app listen on 127.0.0.1 at the port in {{port}}, which env or command of its program passes on',
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      // Where nobody listened, it would have been refused.
      timer = setTimeout(resolve, CONNECT_MS, true);
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
