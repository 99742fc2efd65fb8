import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Budget } from '../../process/budget.ts';
import { sessionOf } from '../envelope.ts';
import { type CdpCommand, commandIn, headOf } from './command.ts';
import { type Refusal, passedOn, refusalOf, refusalOfMethod } from './command-policy.ts';
import type { ScriptCalls } from './script-calls.ts';
import type { FromThread } from './thread-messages.ts';

/** Longest command, in bytes. Apart from those below, no library or tool server sent more than 400 in the episodes of `basics`. */
const MAX_BYTES = 1024 * 1024;
/** Longest command that carries a script, in bytes: Playwright's own is 345 kB, and page content may be longer. */
export const MAX_SCRIPT_BYTES = 8 * 1024 * 1024;
const WITH_SCRIPT = new Set(['Page.addScriptToEvaluateOnNewDocument', 'Runtime.callFunctionOn', 'Runtime.evaluate']);
/** Longest refused command that is parsed, in bytes. */
const MAX_REFUSED_BYTES = 16 * 1024;
/** Cost of a command, in bytes of the budget, however short it is. */
const MIN_COST = 4 * 1024;
/** Weight of a command besides its bytes, and the most that one client may have waiting in the main thread. */
const MIN_WEIGHT = 16 * 1024;
const MAX_HANDED_ON = 1024 * 1024;
/** WebSocket's codes for data of an unsupported kind, and for too much of it. */
const UNSUPPORTED_DATA = 1003;
const TOO_BIG = 1009;

interface ConnectionOptions {
  client: number;
  budget: Budget;
  scripts: ScriptCalls;
  /** The browser's path of each file that clients may name, by the client's path. */
  lent: ReadonlyMap<string, string>;
  post: (message: FromThread) => void;
  /** Called as bytes arrive or wait to be read: a client that holds too many is cut off. */
  onHeld: () => void;
  catchUp: () => void;
}

/** A client in the thread of its gateway: reads, limits and checks its commands, and passes on those that the policy allows. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  /** Bytes of an incomplete message. */
  #unfinished = 0;
  readonly #waiting: Buffer[] = [];
  /** Weight of the commands that wait in the main thread. */
  #handedOn = 0;
  #awaitsRefill = false;

  constructor(socket: WebSocket, stream: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    // Counts the bytes as they arrive: a message that never ends is never reported.
    stream.prependListener('data', ({ length }: Buffer) => {
      this.#unfinished += length;
      options.budget.spend(length);
      options.onHeld();
    });
    socket.on('message', (data, isBinary) => {
      this.#unfinished = 0;
      if (isBinary) socket.close(UNSUPPORTED_DATA, 'commands are text');
      else this.#waiting.push(bytesOf(data));
      this.#drain();
    });
    socket.on('close', () => {
      this.#waiting.length = 0;
    });
    socket.on('error', () => {});
    this.#drain();
  }

  /** Bytes kept here: of an incomplete message, and of messages that the client does not read. */
  get held(): number {
    return this.#unfinished + this.#socket.bufferedAmount;
  }

  deliver(message: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(message, { binary: false });
    this.#options.onHeld();
  }

  taken(weight: number): void {
    this.#handedOn -= weight;
    this.#drain();
  }

  end(): void {
    this.#socket.close();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Takes waiting commands while the budget and the main thread have room. */
  #drain(): void {
    while (this.#hasRoom()) {
      const message = this.#waiting.shift();
      if (message === undefined) {
        this.#socket.resume();
        return;
      }
      this.#options.budget.spend(Math.max(0, MIN_COST - message.length));
      this.#take(message);
    }
    // Messages that have already come in still arrive, but nothing after them.
    this.#socket.pause();
  }

  #hasRoom(): boolean {
    const { budget } = this.#options;
    if (!budget.isSpent) return this.#handedOn <= MAX_HANDED_ON;
    if (!this.#awaitsRefill) {
      this.#awaitsRefill = true;
      budget.whenRefilled(() => {
        this.#awaitsRefill = false;
        this.#drain();
      });
    }
    return false;
  }

  #take(message: Buffer): void {
    const head = headOf(message);
    if (message.length > MAX_REFUSED_BYTES && head !== null && head.id !== null) {
      const { id, method } = head;
      const refusal = refusalOfMethod(method);
      if (refusal !== null) {
        this.#refuse({ id, method, sessionId: sessionOf(message) ?? undefined }, refusal);
        return;
      }
    }
    if (message.length > limitOf(head?.method)) {
      this.#cutOff();
      return;
    }
    const command = commandIn(message.toString('utf8'));
    // The browser would answer such a message with an error.
    if (command === null) return;
    const { lent } = this.#options;
    const refusal = refusalOf(command, lent);
    if (refusal === null) this.#handOn(passedOn(command, lent));
    else this.#refuse(command, refusal);
  }

  #handOn(command: CdpCommand): void {
    const { client, scripts, post, catchUp } = this.#options;
    const { id, method, sessionId } = command;
    const params = written(command.params);
    // The command may grow when it is written; and if it names two methods, the last counts.
    if (params === null || params.length > limitOf(method)) {
      this.#cutOff();
      return;
    }
    catchUp();
    scripts.note(command);
    const weight = MIN_WEIGHT + params.length;
    this.#handedOn += weight;
    const windowOf = windowAskedBy(command);
    const resizes = windowResizedBy(command);
    post({ kind: 'command', client, command: { id, method, sessionId, params }, weight, windowOf, resizes });
  }

  #cutOff(): void {
    this.#socket.close(TOO_BIG, 'longer than a command of this kind may be');
  }

  #refuse({ id, method, sessionId }: CdpCommand, { why, isViolation }: Refusal): void {
    const { client, post } = this.#options;
    post({ kind: 'refused', client, method, isViolation });
    const error = { code: -32_000, message: `refused by Touchstone: ${why}` };
    this.deliver(Buffer.from(JSON.stringify({ id, error, sessionId })));
  }
}

function limitOf(method: string | undefined): number {
  return method !== undefined && WITH_SCRIPT.has(method) ? MAX_SCRIPT_BYTES : MAX_BYTES;
}

/** The target whose window a command asks for; null if it asks for no window, or for that of its session. */
function windowAskedBy({ method, params: { targetId } = {} }: CdpCommand): string | null {
  if (method !== 'Browser.getWindowForTarget' || targetId === undefined) return null;
  return typeof targetId === 'string' ? targetId : '';
}

function windowResizedBy({ method, params: { windowId } = {} }: CdpCommand): number | null {
  const resizes = method === 'Browser.setContentsSize' || method === 'Browser.setWindowBounds';
  return resizes && typeof windowId === 'number' ? windowId : null;
}

/** The parameters as JSON; null if they are nested too deep to be written. */
function written(params: CdpCommand['params'] = {}): string | null {
  try {
    return JSON.stringify(params);
  } catch {
    return null;
  }
}

function bytesOf(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
