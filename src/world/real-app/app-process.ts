import path from 'node:path';
import { clearFolder } from '../../process/own-folder.ts';
import { OwnedProcess } from '../../process/owned-process.ts';

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

/** Starts a program that is none of Node's, and ends as it does. */
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

  /** The last that it has said. */
  get output(): string {
    return this.#output.trim();
  }

  /** Ends it, and resolves when neither the process nor its folder is there any more. */
  async end(): Promise<void> {
    await this.#process.end();
    await clearFolder(this.#folder);
  }
}
