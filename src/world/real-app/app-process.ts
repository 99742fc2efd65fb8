import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** What Node is to run: a script with its arguments. */
export interface Command {
  script: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** How much of what an application says is kept, in characters. */
const MAX_OUTPUT = 4_000;

/**
 * Run before the application: when our process is gone, however it ended, its end of the pipe closes, and the application
 * removes its folder and ends.
 */
const END_WITH_US = `data:text/javascript,${encodeURIComponent(`
  import { rmSync } from 'node:fs';
  const end = () => {
    rmSync(process.env.TOUCHSTONE_APP_FOLDER, { recursive: true, force: true });
    process.exit();
  };
  process.stdin.on('end', end).on('error', end).resume().unref();
`)}`;

/**
 * An application as a process: in a folder of its own, with nothing of our environment but the path to programs. It ends
 * with everything that it has started, and its folder with it.
 */
export class AppProcess {
  readonly #folder: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  #output = '';
  #isRunning = true;

  /** @param folder holds `data`, `home` and `tmp`; it is this process's from now on. */
  constructor(folder: string, { script, args, env = {} }: Command) {
    this.#folder = folder;
    const child = spawn(process.execPath, ['--import', END_WITH_US, script, ...args], {
      cwd: path.join(folder, 'data'),
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: path.join(folder, 'home'),
        TMPDIR: path.join(folder, 'tmp'),
        TOUCHSTONE_APP_FOLDER: folder,
        LANG: 'en_US.UTF-8',
        TZ: 'UTC',
        NODE_ENV: 'production',
        ...env,
      },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT);
      });
    }
    // A pipe that breaks at its end is no error of its own: its end is one.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    child.once('error', (error) => {
      this.#output += error.message;
      this.#isRunning = false;
    });
    child.once('exit', () => {
      this.#isRunning = false;
    });
    this.#closed = child.pid === undefined ? Promise.resolve() : once(child, 'close').catch(() => {});
    process.once('exit', this.#endNow);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The last that it has said. */
  get output(): string {
    return this.#output.trim();
  }

  /** Ends it, and resolves when neither the process nor its folder is there any more. */
  async end(): Promise<void> {
    this.#kill();
    await this.#closed;
    this.#endNow();
  }

  readonly #endNow = (): void => {
    process.off('exit', this.#endNow);
    this.#kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}
