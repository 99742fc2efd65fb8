import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { MessageStream } from '../../contract/message-stream.ts';
import { Budget } from '../../process/budget.ts';
import { Paced } from '../../process/paced.ts';
import { OwnedProcess } from '../../process/owned-process.ts';
import type { SandboxLaunch, ProcessIsolation } from '../../process/sandbox/launch.ts';

/** Longest message of a server, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;
/** Most that is read of a server, in bytes: several screenshots a second. */
const BUDGET = { perSecond: 8 * 1024 * 1024, burst: 32 * 1024 * 1024 };
/** Most that may wait for a server to read it, in bytes: it may ask much and read no answer. No call is as long. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const MAX_STDERR = 4_000;

/** A tool server as a process: JSON-RPC, one message a line. It works in its own home, and ends with all its processes. */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  readonly #launch: SandboxLaunch;
  #process: OwnedProcess | null = null;
  #closing: Promise<void> | null = null;
  #stderr = '';
  #paced: Paced<string>[] = [];

  constructor(launch: SandboxLaunch) {
    this.#launch = launch;
  }

  get isolation(): ProcessIsolation {
    return this.#launch.isolation;
  }

  get home(): SandboxLaunch['home'] {
    return this.#launch.home;
  }

  async start(): Promise<void> {
    if (this.#closing !== null) throw new Error('it was ended before it began');
    const { commandLine, cwd, env, uid } = this.#launch;
    const [program = '', ...args] = commandLine;
    this.#process = new OwnedProcess({ program, args, cwd, env, uid });
    const { stdout, stderr, started, ended } = this.#process;
    const messages = new MessageStream(MAX_MESSAGE_LENGTH);
    const budget = new Budget(BUDGET);
    const messagesRead = new Paced<string>(stdout, budget, (line) => {
      this.#receive(line);
    });
    stdout.on('data', (chunk: Buffer) => {
      const lines = messages.take(chunk);
      if (lines === null) void this.close();
      messagesRead.take(lines ?? [], chunk.length);
    });
    const errors = new Paced<string>(stderr, budget, (text) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR);
    });
    stderr.setEncoding('utf8').on('data', (text: string) => {
      errors.take([text], text.length);
    });
    this.#paced = [messagesRead, errors];
    void ended.then(() => this.close());
    await started;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    stdin?.write(serializeMessage(message));
    if (stdin !== undefined && stdin.writableLength > MAX_UNREAD_BYTES) void this.close();
    return Promise.resolve();
  }

  /** Ends it with all that it has started, and removes its home. */
  close(): Promise<void> {
    return (this.#closing ??= this.#clear());
  }

  /** The end of its standard error, to append to a message; empty without output. */
  get errorOutput(): string {
    const text = this.#stderr.trim();
    return text === '' ? '' : `; it printed: ${text}`;
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch {
      // Ignored: the time limit of the call applies.
    }
  }

  async #clear(): Promise<void> {
    for (const each of this.#paced) each.stop();
    await this.#process?.end();
    await this.#launch.clear();
    this.onclose?.();
  }
}
