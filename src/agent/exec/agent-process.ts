import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageStream } from '../../contract/message-stream.ts';
import type { Launch } from './isolation.ts';
import { ProcessTree } from './process-tree.ts';

/** How much of what a command prints is kept, in characters. */
const MAX_KEPT = 16_000;
/** Longest line that is read, in UTF-16 code units. */
const MAX_LINE_LENGTH = 1024 * 1024;
/** How much a command may print in all, in bytes: no agent has that much to say, and whoever reads it must not drown. */
const MAX_PRINTED_BYTES = 64 * 1024 * 1024;
/** How long, in ms, the output may stay open after the command and all that it started have ended. */
const DRAIN_MS = 1_000;

/** What is told of a command while it runs. */
export interface ProcessListener {
  /** A whole line of its standard output. It says whether the line was meant for us. */
  line(text: string): boolean;
  /** It has printed more than anybody can read, or a line without end. */
  tooMuch(what: string): void;
  /** The command has ended by itself; all its output has been heard. */
  ended(how: { code: number | null; signal: string | null }): void;
  failed(error: Error): void;
}

/** A command at work, and all that it has started. */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #tree: ProcessTree;
  readonly #listener: ProcessListener;
  readonly #lines = new MessageStream('\n', MAX_LINE_LENGTH);
  readonly #closed: Promise<void>;
  #printed = '';
  #bytes = 0;

  /** @param input what it is given on its standard input, which then ends */
  constructor({ commandLine, cwd, env, uid }: Launch, input: string, listener: ProcessListener) {
    const [program = '', ...args] = commandLine;
    this.#listener = listener;
    this.#tree = new ProcessTree(uid);
    this.#child = spawn(program, args, {
      cwd,
      env: { ...env, ...this.#tree.environment },
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      stdio: 'pipe',
      ...(uid === null ? {} : { uid, gid: uid }),
    });
    this.#tree.startedWith(this.#child.pid);
    process.once('exit', this.#kill);
    const { stdin, stdout, stderr } = this.#child;
    // A pipe that breaks at the command's end is no error of its own.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => {});
    stdin?.end(input);
    stdout?.on('data', (chunk: Buffer) => {
      this.#hear(chunk);
    });
    stderr?.on('data', (chunk: Buffer) => {
      this.#count(chunk);
      this.#keep(chunk.toString('utf8'));
    });
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', () => {
        resolve();
      });
    });
    this.#child.once('error', (error) => {
      listener.failed(error);
    });
    this.#child.once('exit', (code, signal) => void this.#onExit(code, signal));
  }

  /** The end of what it has printed that was not meant for us, and how much it has printed in all. */
  get printed(): { text: string; bytes: number } {
    return { text: this.#printed.trim(), bytes: this.#bytes };
  }

  /** Ends the command and all that it has started, and waits until they are gone. */
  async end(): Promise<void> {
    this.#child.stdout?.removeAllListeners('data').resume();
    await this.#tree.end();
    process.off('exit', this.#kill);
    await this.#drained();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** What it has complained of is heard to its end, unless something that we could not end holds the pipe. */
  async #drained(): Promise<void> {
    await Promise.race([this.#closed, sleep(DRAIN_MS, undefined, { ref: false })]);
  }

  readonly #kill = (): void => {
    this.#tree.kill();
  };

  /** What it leaves behind may hold its output open, and is ended first. */
  async #onExit(code: number | null, signal: string | null): Promise<void> {
    await this.#tree.end();
    await this.#drained();
    // Its last line may lack an end.
    this.#hear(Buffer.from('\n'));
    this.#listener.ended({ code, signal });
  }

  #hear(chunk: Buffer): void {
    if (!this.#count(chunk)) return;
    const lines = this.#lines.take(chunk);
    if (lines === null) this.#listener.tooMuch(`a line longer than ${MAX_LINE_LENGTH} characters`);
    for (const line of lines ?? []) this.#take(line);
  }

  #take(line: string): void {
    if (line.trim() !== '' && !this.#listener.line(line)) this.#keep(`${line}\n`);
  }

  /** False once it has printed too much. */
  #count(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_PRINTED_BYTES) return true;
    this.#listener.tooMuch(`more than ${MAX_PRINTED_BYTES} bytes`);
    return false;
  }

  #keep(text: string): void {
    this.#printed = (this.#printed + text).slice(-MAX_KEPT);
  }
}
