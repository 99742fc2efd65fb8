import { EventEmitter } from 'node:events';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import { errorReply, holdsMoreThan, idOf } from './envelope.ts';
import { BrowserError, died, tooMany } from './error.ts';
import type { Wire } from './wire.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
type Method = keyof Commands;

/** A message as parsed: the browser vouches for its shape, which the types of devtools-protocol describe. */
type Message = ReturnType<typeof JSON.parse>;

interface Pending {
  settle: (reply: Message) => void;
  reject: (error: Error) => void;
}

/** Options of a command: the session (none: the browser itself), and how long to wait for its reply, in ms. */
export interface SendOptions {
  sessionId?: string | undefined;
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Most values of a reply, which takes a third of a second to parse: those of a snapshot of some 200,000 elements. */
const MAX_VALUES = 4_000_000;

export class CdpConnection {
  readonly #events = new EventEmitter();
  readonly #pending = new Map<number, Pending>();
  readonly #wire: Wire;
  readonly #maxPending: number;
  #lastId = 0;
  #closed = false;
  #fault: Error | null = null;

  /** @param maxPending most commands that may wait for replies; beyond that, the silent peer is at fault */
  constructor(wire: Wire, maxPending = Infinity) {
    this.#wire = wire;
    this.#maxPending = maxPending;
    this.#events.setMaxListeners(0);
    wire.listen(
      (message) => {
        this.#receive(message);
      },
      (fault) => {
        this.#end(fault);
      },
    );
  }

  /** @throws BrowserError `browser_refuses`, `browser_silent`, or `browser_gone` */
  send<M extends Method>(
    method: M,
    params?: Commands[M]['paramsType'][0],
    options: SendOptions = {},
  ): Promise<Commands[M]['returnType']> {
    if (this.#closed) return Promise.reject(died(method, this.#fault));
    if (this.#pending.size >= this.#maxPending) {
      const fault = tooMany(`${this.#maxPending} commands wait for its replies`);
      this.#wire.fail(fault, null);
      return Promise.reject(died(method, fault));
    }
    const id = ++this.#lastId;
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new BrowserError(fact('browser_silent', { method, ms: timeoutMs })));
      }, timeoutMs);
      this.#pending.set(id, {
        settle: ({ result, error }: Message) => {
          clearTimeout(timer);
          if (error === undefined) resolve(result);
          else reject(new BrowserError(fact('browser_refuses', { method, why: String(error.message) })));
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.#wire.send(JSON.stringify({ id, method, params, sessionId: options.sessionId }));
    });
  }

  /** @returns what ends it */
  on<E extends keyof Events>(
    event: E,
    listener: (params: Events[E][0], sessionId: string | undefined) => void,
  ): () => void {
    this.#events.on(event, listener);
    return () => void this.#events.off(event, listener);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Why it was cut, if a message could not be handled; null after any other end. */
  get fault(): string | null {
    return this.#fault === null ? null : messageOf(this.#fault);
  }

  close(): void {
    this.#end(null);
  }

  #end(fault: Error | null): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#fault = fault;
    for (const { reject } of this.#pending.values()) reject(died('a command', fault));
    this.#pending.clear();
    this.#wire.end();
  }

  #receive(received: Buffer): void {
    if (this.#closed) return;
    const id = idOf(received);
    // A late reply is not parsed: a page can make it long.
    if (id !== null && !this.#pending.has(id)) return;
    const isTooLarge = id !== null && holdsMoreThan(received, MAX_VALUES);
    const bytes = isTooLarge ? errorReply(id, null, `the reply holds more than ${MAX_VALUES} values`) : received;
    let message: Message;
    try {
      message = JSON.parse(bytes.toString('utf8'));
      if (typeof message !== 'object' || message === null) throw new Error('it is not a message');
    } catch (error) {
      // A peer that does not speak the protocol is not a browser.
      this.#end(new BrowserError(fact('browser_bad_message', { why: messageOf(error) }), error));
      return;
    }
    if (message.id === undefined) {
      this.#events.emit(message.method, message.params, message.sessionId);
      return;
    }
    this.#pending.get(message.id)?.settle(message);
    this.#pending.delete(message.id);
  }
}
