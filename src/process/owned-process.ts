import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessTree } from './process-tree.ts';

/** Time, in ms, that output may stay open when the process and all that it started have ended: a process that we cannot end may hold it. */
const DRAIN_MS = 1_000;

export interface Start {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The user of its own that it runs as; null for ours. */
  uid?: number | null;
}

/** The end of a process; both are null when it never began. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that we have started, with all that it starts in turn. It ends with us, if we end in order. */
export class OwnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly started: Promise<void>;
  /** Fulfilled when nothing of it is left, and all its output has been heard. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #tree: ProcessTree;
  #isRunning = true;

  constructor({ program, args, cwd, env, uid = null }: Start) {
    this.#tree = new ProcessTree(uid);
    const child = spawn(program, args, {
      cwd,
      env: { ...env, ...this.#tree.environment },
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(uid === null ? {} : { uid, gid: uid }),
    });
    this.#child = child;
    this.#tree.startedWith(child.pid);
    ({ stdin: this.stdin, stdout: this.stdout, stderr: this.stderr } = child);
    killAtExit(this.#tree);
    // A pipe that breaks at its end is not a second error.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    this.started = new Promise((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    });
    // No one may be waiting for it.
    this.started.catch(() => {});
    const closed = new Promise<void>((resolve) => {
      child.once('close', () => {
        resolve();
      });
    });
    this.ended = this.#end().then(async (end) => {
      this.#isRunning = false;
      // Processes that it leaves behind may hold its output open, and are ended first.
      await this.#tree.end();
      forget(this.#tree);
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      child.stdout.destroy();
      child.stderr.destroy();
      return end;
    });
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Ports at which it listens, or what it has started; none are known but on Linux. */
  listening(): number[] {
    return this.#tree.listening();
  }

  /** Ends it with all that it has started, and waits until that is gone. */
  async end(): Promise<void> {
    await this.#tree.end();
    await this.ended;
  }

  #end(): Promise<ProcessEnd> {
    const { pid } = this.#child;
    return new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
      this.#child.once('error', () => {
        if (pid === undefined) resolve({ code: null, signal: null });
      });
    });
  }
}

/** The trees of processes that run. One listener ends them all: Node warns of more than ten. */
const running = new Set<ProcessTree>();

function killAtExit(tree: ProcessTree): void {
  // Before folders are removed, to which they may write.
  if (running.size === 0) process.prependListener('exit', killRunning);
  running.add(tree);
}

function forget(tree: ProcessTree): void {
  if (running.delete(tree) && running.size === 0) process.off('exit', killRunning);
}

function killRunning(): void {
  for (const tree of running) tree.kill();
}
