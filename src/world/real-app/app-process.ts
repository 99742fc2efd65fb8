import path from 'node:path';
import net from 'node:net';
import { clearFolder } from '../../process/own-folder.ts';
import { OwnedProcess } from '../../process/owned-process.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../process/listening-port.ts';

/** A script that Node is to run, with its arguments. */
export interface AppCommand {
  script: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** A program of any kind, and its arguments. */
export interface ProgramCommand extends Omit<AppCommand, 'script'> {
  program: string;
}

/** Number of characters that are kept of what an application prints. */
const MAX_OUTPUT = 4_000;

/**
 * Run before the application: when our process is gone, however it ended, its end of the pipe closes, and the application
 * removes its folder and ends with its process group. The application's own workers and processes inherit this, and it is
 * not for them.
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

/** Starts a program of any language, and ends as it does. */
const GUARD = `
  const [program, ...args] = process.argv.slice(1);
  const child = require('node:child_process').spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', ({ message }) => { console.error(message); process.exit(127); });
  child.once('exit', (code) => process.exit(code ?? 1));
`;

/**
 * An application as a process: in a folder of its own, with nothing of our environment but the path to programs. It ends
 * with everything that it has started, and its folder with it.
 */
export class AppProcess {
  readonly #folder: string;
  readonly #process: OwnedProcess;
  #output = '';

  /** @param folder holds `data`, `home` and `tmp`; it is this process's from now on. */
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

  /** Fulfilled with the code that it ended with, null where a signal ended it, when nothing of it runs any more. */
  get exitCode(): Promise<number | null> {
    return this.#process.ended.then(({ code }) => code);
  }

  /** Ports at which it listens; none are known but on Linux. */
  listening(): number[] {
    return this.#process.listening();
  }

  /** The end of its output. */
  get output(): string {
    return this.#output.trim();
  }

  /** Ends it, and resolves when neither the process nor its folder is there any more. */
  async end(): Promise<void> {
    await this.#process.end();
    await clearFolder(this.#folder);
  }
}

/** For what hangs, in ms: on a busy machine, a large application may well take half a minute. */
export const APP_START_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 50;
/** A question that was lost is asked again. */
const ASK_TIMEOUT_MS = 30_000;

/**
 * Waits until an application answers; false when it has ended before, or has not done so in time.
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

/** Ports that were given out last: their programs may not listen yet. */
const given: number[] = [];
/** Number of those that are remembered: far more than start at once, and far fewer than there are. */
const REMEMBERED = 256;

/** A port of loopback that is free and was not given out. */
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
