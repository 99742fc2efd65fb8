import { MessageStream } from '../../contract/message-stream.ts';
import { Budget } from '../../process/budget.ts';
import { Paced } from '../../process/paced.ts';
import { OwnedProcess, type ProcessEnd } from '../../process/owned-process.ts';
import type { SandboxLaunch } from '../../process/sandbox/launch.ts';

const MAX_REPORTED = 16_000;
/** Kept in addition, so that a secret at the limit is redacted whole before the text is cut. */
const REDACTION_MARGIN = 16 * 1024;
const MAX_KEPT = MAX_REPORTED + REDACTION_MARGIN;
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_PRINTED_BYTES = 64 * 1024 * 1024;
/** In bytes. */
const BUDGET = { perSecond: 8 * 1024 * 1024, burst: 32 * 1024 * 1024 };

interface ProcessListener {
  /** A whole line of its standard output. @returns whether it was meant for us */
  line(text: string): boolean;
  tooMuch(what: string): void;
  /** The command has ended by itself, and all its output was passed on. */
  ended(how: ProcessEnd): void;
  failed(error: Error): void;
}

export class AgentProcess {
  readonly #process: OwnedProcess;
  readonly #listener: ProcessListener;
  readonly #lines = new MessageStream(MAX_LINE_LENGTH);
  readonly #paced: Paced<string>;
  #printed = '';
  #bytes = 0;

  /** @param input for its standard input, which then ends */
  constructor({ commandLine, cwd, env, uid }: SandboxLaunch, input: string, listener: ProcessListener) {
    const [program = '', ...args] = commandLine;
    this.#listener = listener;
    this.#process = new OwnedProcess({ program, args, cwd, env, uid });
    const { stdin, stdout, stderr, started, ended } = this.#process;
    stdin.end(input);
    this.#paced = new Paced(stdout, new Budget(BUDGET), (line) => {
      this.#take(line);
    });
    stdout.on('data', (chunk: Buffer) => {
      this.#receive(chunk);
    });
    stderr.on('data', (chunk: Buffer) => {
      this.#count(chunk);
      this.#keep(chunk.toString('utf8'));
    });
    started.catch((error: Error) => {
      listener.failed(error);
    });
    void this.#waitForEnd(ended);
  }

  /** The end of its output that was not meant for us, without secrets, and the size of all its output. */
  printed(redact: (text: string) => string): { text: string; bytes: number } {
    const redacted = redact(this.#printed);
    // The first characters may be the rest of a secret that was cut.
    const whole = this.#printed.length < MAX_KEPT ? redacted : redacted.slice(REDACTION_MARGIN);
    return { text: whole.slice(-MAX_REPORTED).trim(), bytes: this.#bytes };
  }

  async end(): Promise<void> {
    this.#paced.stop();
    this.#process.stdout.removeAllListeners('data').resume();
    await this.#process.end();
  }

  async #waitForEnd(ended: Promise<ProcessEnd>): Promise<void> {
    const how = await ended;
    // Its last line may lack an end.
    this.#receive(Buffer.from('\n'));
    await this.#paced.idle();
    this.#listener.ended(how);
  }

  #receive(chunk: Buffer): void {
    if (!this.#count(chunk)) return;
    const lines = this.#lines.take(chunk);
    if (lines === null) this.#listener.tooMuch(`a line longer than ${MAX_LINE_LENGTH} characters`);
    this.#paced.take(lines ?? [], chunk.length);
  }

  #take(line: string): void {
    if (line.trim() !== '' && !this.#listener.line(line)) this.#keep(`${line}\n`);
  }

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
