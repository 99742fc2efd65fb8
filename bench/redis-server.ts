import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { onPath } from '../src/process/environment.ts';
import { portOf } from '../src/process/listening-port.ts';

/** A real Redis on a port of its own, which can be ended and started again. */
export interface RedisServer {
  address: string;
  port: number;
  /** Ends it; with SIGKILL it forgets everything, since it writes nothing down unless asked to. */
  stop(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
}

export interface RedisOptions {
  /** Where it lives. */
  folder: string;
  /** Files of a key and its certificate: then it speaks TLS and nothing else. */
  tls?: { key: string; cert: string };
  /** More words of its command line. */
  words?: readonly string[];
}

/** Starts the Redis of this machine; the caller stops it. */
export async function startRedisServer({ folder, tls, words = [] }: RedisOptions): Promise<RedisServer> {
  if (onPath('redis-server') === null) {
    throw new Error(
      'redis-server is not installed; "node scripts/setup.mjs --tests" as root, or your package manager, installs it',
    );
  }
  const port = await freePort();
  const files = tls && ['--tls-cert-file', tls.cert, '--tls-key-file', tls.key, '--tls-auth-clients', 'no'];
  const ports = files === undefined ? ['--port', `${port}`] : ['--port', '0', '--tls-port', `${port}`, ...files];
  const args = [...ports, '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...words];
  let running: { ended: Promise<void>; kill: (signal: NodeJS.Signals) => void } | null = null;
  const start = async (): Promise<void> => {
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
    running = { ended, kill: (signal) => child.kill(signal) };
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('Ready to accept connections')) resolve();
      });
      child.on('close', () => reject(new Error(`redis-server ended: ${said}`)));
    });
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    running?.kill(signal);
    await running?.ended;
    running = null;
  };
  await start();
  return { address: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`, port, stop, start };
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
