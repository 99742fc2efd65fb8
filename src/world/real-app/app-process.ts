import path from 'node:path';
import net from 'node:net';
import { clearFolder } from '../../process/own-folder.ts';
import { OwnedProcess } from '../../process/owned-process.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../process/listening-port.ts';

/** A Node script, and its arguments. */
export interface AppCommand {
  script: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** A program in any language, and its arguments. */
export interface ProgramCommand extends Omit<AppCommand, 'script'> {
  program: string;
}

/** Characters kept of an application's output. */
const MAX_OUTPUT = 4_000;

/**
 * Imported before the application: once our process ends, however it ends, its end of the pipe closes, and the application
 * removes its folder and kills its process group. Its workers and child processes import this too, but do nothing.
 */
const END_WITH_US = `data:text/javascript,${encodeURIComponent(`
  import { rmSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const folder = process.env.TOUCHSTONE_APP_FOLDER;
  delete process.env.TOUCHSTONE_APP_FOLDER;
  const end = () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } finally {
      process.kill(-process.pid, 'SIGKILL');
    }
  };
  if (isMainThread && folder !== undefined) process.stdin.on('end', end).on('error', end).resume().unref();
`)}`;

/** Starts a program in any language, and exits with its code. */
const GUARD = `
  const [program, ...args] = process.argv.slice(1);
  const child = require('node:child_process').spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', ({ message }) => { console.error(message); process.exit(127); });
  child.once('exit', (code) => process.exit(code ?? 1));
`;

/**
 * An application as a process, in a folder of its own, with nothing of our environment but `PATH`. Its end includes everything
 * that it has started and its folder.
 */
export class AppProcess {
  readonly #folder: string;
  readonly #process: OwnedProcess;
  #output = '';

  /** @param folder holds `data`, `home` and `tmp`; the process owns it from now on. */
  constructor(folder: string, command: AppCommand | ProgramCommand) {
    const run = 'script' in command ? [command.script] : ['-e', GUARD, '--', command.program];
    this.#folder = folder;
    this.#process = new OwnedProcess({
      program: process.execPath,
      args: ['--import', END_WITH_US, ...run, ...command.args],
      cwd: path.join(folder, 'data'),
      env: {
        PATH: process.env['PATH'],
        HOME: path.join(folder, 'home'),
        TMPDIR: path.join(folder, 'tmp'),
        TOUCHSTONE_APP_FOLDER: folder,
        LANG: 'en_US.UTF-8',
        TZ: 'UTC',
        NODE_ENV: 'production',
        ...command.env,
      },
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT);
      });
    }
    this.#process.started.catch((error: Error) => {
      this.#output += error.message;
    });
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** Resolves once all its processes have ended: with its exit code, or null if a signal ended it. */
  get exitCode(): Promise<number | null> {
    return this.#process.ended.then(({ code }) => code);
  }

  /** The ports on which it listens; empty except on Linux. */
  listening(): number[] {
    return this.#process.listening();
  }

  get output(): string {
    return this.#output.trim();
  }

  /** Ends it, and resolves once its processes and its folder are gone. */
  async end(): Promise<void> {
    await this.#process.end();
    await clearFolder(this.#folder);
  }
}

/** The limit for an application that hangs; on a busy machine, a large one may take half a minute. */
export const APP_START_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 50;
/** A request without an answer is repeated after this time. */
const ASK_TIMEOUT_MS = 30_000;

/**
 * Waits until an application answers; false if it ended before, or did not answer in time.
 * @param answers asks it once, within the given time in ms
 */
export async function isReady(
  child: AppProcess,
  answers: (limitMs: number) => Promise<boolean>,
  timeoutMs = APP_START_TIMEOUT_MS,
): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const left = Math.ceil(giveUpAt - performance.now());
    if (!child.isRunning || left <= 0) return false;
    if (await answers(Math.min(left, ASK_TIMEOUT_MS))) return true;
    await sleep(ASK_EVERY_MS);
  }
}

/** Ports given out recently, on which no program may listen yet. */
const recentPorts: number[] = [];
/** Far more programs than start at once, and far fewer than there are ports. */
const MAX_RECENT_PORTS = 256;

/** Returns a free loopback port that was not given out recently. */
export async function freePort(): Promise<number> {
  const port = await anyPort();
  if (recentPorts.includes(port)) return await freePort();
  recentPorts.push(port);
  if (recentPorts.length > MAX_RECENT_PORTS) recentPorts.shift();
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
