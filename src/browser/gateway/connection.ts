import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Budget } from '../../process/budget.ts';
import { sessionOf } from '../envelope.ts';
import { type CdpCommand, commandIn, headOf } from './command.ts';
import { type Refusal, passedOn, refusalOf, refusalOfMethod } from './command-policy.ts';
import type { ScriptCalls } from './script-calls.ts';
import type { FromThread } from './thread-messages.ts';

/** Longest command, in bytes. But for those below, no library or tool server sent more than 400 in the episodes of `basics`. */
const MAX_BYTES = 1024 * 1024;
/** Longest of the commands that bring a script, in bytes: Playwright's own is 345 kB, and content that is set may be longer. */
export const MAX_SCRIPT_BYTES = 8 * 1024 * 1024;
const WITH_SCRIPT = new Set(['Page.addScriptToEvaluateOnNewDocument', 'Runtime.callFunctionOn', 'Runtime.evaluate']);
/** A refused command that is longer is not parsed, in bytes. */
const MAX_REFUSED_BYTES = 16 * 1024;
/** Cost of a command, in bytes of the budget, however short it is. */
const LEAST_COST = 4 * 1024;
/** Weight of a command without its bytes, and most that the main thread is given of a client before it has taken some. */
const LEAST_WEIGHT = 16 * 1024;
const MAX_HANDED_ON = 1024 * 1024;
/** WebSocket's codes for data of a kind that is not taken, and for too much of it. */
const UNSUPPORTED_DATA = 1003;
const TOO_BIG = 1009;

interface ConnectionOptions {
  client: number;
  budget: Budget;
  scripts: ScriptCalls;
  /** The browser's paths of the files that clients may name, by theirs. */
  lent: ReadonlyMap<string, string>;
  tell: (message: FromThread) => void;
  /** Called as bytes arrive or wait to be read: a client that holds too many is cut off. */
  onHeld: () => void;
  catchUp: () => void;
}

/** A client in the thread of its gateway: reads, limits and checks its commands, and passes on those that the policy allows. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  /** Bytes of a message that is not whole yet. */
  #unfinished = 0;
  readonly #waiting: Buffer[] = [];
  /** Weight of what the main thread was given and has not taken yet. */
  #handedOn = 0;
  #awaitsRefill = false;

  constructor(socket: WebSocket, stream: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    // Before it is made a message of: a message that does not end is never reported.
    stream.prependListener('data', ({ length }: Buffer) => {
      this.#unfinished += length;
      options.budget.spend(length);
      options.onHeld();
    });
    socket.on('message', (data, isBinary) => {
      this.#unfinished = 0;
      if (isBinary) socket.close(UNSUPPORTED_DATA, 'commands are text');
      else this.#waiting.push(bytesOf(data));
      this.#goOn();
    });
    socket.on('close', () => {
      this.#waiting.length = 0;
    });
    socket.on('error', () => {});
    this.#goOn();
  }

  /** Bytes kept here: of an incomplete message, and of messages that it does not read. */
  get held(): number {
    return this.#unfinished + this.#socket.bufferedAmount;
  }

  hear(message: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(message, { binary: false });
    this.#options.onHeld();
  }

  taken(weight: number): void {
    this.#handedOn -= weight;
    this.#goOn();
  }

  end(): void {
    this.#socket.close();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Takes what waits, as far as the budget and the main thread have room for it. */
  #goOn(): void {
    while (this.#hasRoom()) {
      const message = this.#waiting.shift();
      if (message === undefined) {
        this.#socket.resume();
        return;
      }
      this.#options.budget.spend(Math.max(0, LEAST_COST - message.length));
      this.#take(message);
    }
    // Messages that have come in already still arrive; nothing after that.
    this.#socket.pause();
  }

  #hasRoom(): boolean {
    const { budget } = this.#options;
    if (!budget.isSpent) return this.#handedOn <= MAX_HANDED_ON;
    if (!this.#awaitsRefill) {
      this.#awaitsRefill = true;
      budget.whenRefilled(() => {
        this.#awaitsRefill = false;
        this.#goOn();
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
    const { client, scripts, tell, catchUp } = this.#options;
    const { id, method, sessionId } = command;
    const params = written(command.params);
    // It may be longer when it is written than it was; and of two methods in one command the last counts.
    if (params === null || params.length > limitOf(method)) {
      this.#cutOff();
      return;
    }
    catchUp();
    scripts.note(command);
    const weight = LEAST_WEIGHT + params.length;
    this.#handedOn += weight;
    const windowOf = windowAskedBy(command);
    const resizes = windowResizedBy(command);
    tell({ kind: 'command', client, command: { id, method, sessionId, params }, weight, windowOf, resizes });
  }

  #cutOff(): void {
    this.#socket.close(TOO_BIG, 'longer than a command of this kind may be');
  }

  #refuse({ id, method, sessionId }: CdpCommand, { why, isViolation }: Refusal): void {
    const { client, tell } = this.#options;
    tell({ kind: 'refused', client, method, isViolation });
    const error = { code: -32_000, message: `refused by Touchstone: ${why}` };
    this.hear(Buffer.from(JSON.stringify({ id, error, sessionId })));
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
