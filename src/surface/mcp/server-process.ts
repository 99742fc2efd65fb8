import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { MessageStream } from '../../contract/message-stream.ts';

/** Longest message that is taken from a server, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;
/** How much of what a server complains of is kept, in characters. */
const MAX_COMPLAINT = 4_000;

/** What is started as a server. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  /** Variables beside those that every server has. */
  env: Readonly<Record<string, string>>;
}

/**
 * A tool server as a process: JSON-RPC, one message a line. It has a home of its own, which is also where it works, sees
 * nothing of our environment but the path to programs, and ends with everything that it has started.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  /** Its fresh and empty home and working folder. */
  readonly home = mkdtempSync(path.join(tmpdir(), 'touchstone-tool-'));
  readonly #commandIn: (home: string) => ServerCommand;
  #child: ChildProcessWithoutNullStreams | null = null;
  #complaint = '';

  /** @param commandIn what is started, given the server's home. */
  constructor(commandIn: (home: string) => ServerCommand) {
    this.#commandIn = commandIn;
    process.once('exit', this.#end);
  }

  start(): Promise<void> {
    const { home } = this;
    const { command, args, env } = this.#commandIn(home);
    const child = spawn(command, args, {
      cwd: home,
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, LANG: 'en_US.UTF-8', ...env },
    });
    this.#child = child;
    const messages = new MessageStream('\n', MAX_MESSAGE_LENGTH);
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = messages.take(chunk);
      if (lines === null) this.#end();
      for (const line of lines ?? []) this.#receive(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-MAX_COMPLAINT);
    });
    // A pipe that breaks at its end is no error of its own: its end is one.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
      child.once('close', () => {
        this.#end();
        this.onclose?.();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin.write(serializeMessage(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  /** The last that it has said on its standard error, to stand behind a message; empty when it has said nothing. */
  get said(): string {
    const complaint = this.#complaint.trim();
    return complaint === '' ? '' : `; it said: ${complaint}`;
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch {
      // What is no message, or none that can be followed, answers nothing: whoever waits for an answer waits no longer than
      // the call may take.
    }
  }

  readonly #end = (): void => {
    process.off('exit', this.#end);
    const pid = this.#child?.pid;
    if (pid !== undefined) {
      try {
        process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
}
