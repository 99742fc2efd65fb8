import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import { BrowserError, died, tooMany } from './error.ts';
import { idOf, sessionOf } from './envelope.ts';
import { Guest, type GuestListener, type SharedLine } from './guest.ts';
import { SessionOwners } from './session-owners.ts';
import type { Wire } from './wire.ts';

/** The judge numbers its commands from 1; those of the others begin here, and end at the browser's limit. */
const FIRST_ID = 2 ** 30;
const LAST_ID = 2 ** 31 - 1;
/** Most characters that guests may have on their way before no more are taken: the judge waits behind them. */
const MAX_UNSENT = 1024 * 1024;
/** Longest command that a guest may send. The browser closes a pipe that brings more than 100 MiB in one, and ends. */
const MAX_COMMAND_BYTES = 96 * 1024 * 1024;
/** Longest time that the browser may take to let a guest in or out, in ms. */
const TIMEOUT_MS = 10_000;

const ATTACHED = Buffer.from('{"method":"Target.attachedToTarget","params":');
const DETACHED = Buffer.from('{"method":"Target.detachedFromTarget","params":');
const Attached = z.object({ params: z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.string() }) }) });
const Detached = z.object({ params: z.object({ sessionId: z.string() }) });
const Reply = z.object({
  result: z.looseObject({ sessionId: z.string().optional() }).optional(),
  error: z.object({ message: z.string() }).optional(),
});

const Pressed = z.object({ type: z.literal('mousePressed'), x: z.number(), y: z.number() });

/** A place of the viewport, in CSS pixels. */
export interface Press {
  x: number;
  y: number;
}

const MAX_EVENT_LENGTH = 4_096;

function pressOf(params: string): Press | null {
  if (params.length > MAX_EVENT_LENGTH) return null;
  const { data } = Pressed.safeParse(JSON.parse(params));
  return data === undefined ? null : { x: data.x, y: data.y };
}

/** Limits for a browser that is not ours: nothing that exceeds them is a browser. */
export interface SwitchboardLimits {
  sessions: number;
  pending: number;
}

const NO_LIMITS: SwitchboardLimits = { sessions: Infinity, pending: Infinity };

const JUDGE = 'judge';
type Owner = typeof JUDGE | Guest;

/** The party that waits for a reply: a guest, or the switchboard itself. */
type Waiting = { guest: Guest } | { settle: (reply: Buffer) => void; reject: (error: Error) => void };

/**
 * One line to a browser, shared by the judge and its guests. To the judge it is a wire like any other. Each guest has its own
 * session of the browser, in which it finds what its own connection would give it, and nothing of the others:
 * replies go to the guest that asked, events to the owner of their session. A guest that does not listen delays no other.
 */
export class Switchboard implements SharedLine {
  readonly judge: Wire;
  readonly #wire: Wire;
  readonly #limits: SwitchboardLimits;
  readonly #owners = new SessionOwners<Owner>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #guests = new Set<Guest>();
  #press: Press | null = null;
  #lastId = FIRST_ID - 1;
  #unsent = 0;
  #hasEnded = false;
  #fault: Error | null = null;

  constructor(wire: Wire, limits: SwitchboardLimits = NO_LIMITS) {
    this.#wire = wire;
    this.#limits = limits;
    this.judge = {
      send: (text) => {
        wire.send(text);
      },
      listen: (onMessage, onEnd) => {
        wire.listen(
          (message) => {
            this.#receive(message, onMessage);
          },
          (fault) => {
            this.#end(fault);
            onEnd(fault);
          },
        );
      },
      end: () => {
        wire.end();
        this.#end(null);
      },
      fail: (error, message) => {
        this.fail(error, message);
      },
    };
  }

  /** @throws BrowserError `browser_refuses` if the target does not exist, or `browser_gone` */
  async admit(listener: GuestListener, targetId: string | null = null): Promise<Guest> {
    // It sends nothing before it gets a command.
    const own = await this.#attach('Target.attachToBrowserTarget', {});
    const guest = new Guest(this, listener, own);
    this.#owners.add(own, guest, null);
    this.#guests.add(guest);
    if (targetId === null) return guest;
    try {
      const seat = await this.#attach('Target.attachToTarget', { targetId, flatten: true }, own);
      if (!this.owns(guest, seat)) throw died('Target.attachToTarget');
      guest.sitAt(seat);
      return guest;
    } catch (error) {
      await guest.leave();
      throw error;
    }
  }

  /** Called by a guest that could not handle this message: see {@link Wire}. */
  fail(error: unknown, message: Buffer | null): void {
    this.#wire.fail(error, message);
  }

  get hasRoom(): boolean {
    return this.#unsent <= MAX_UNSENT;
  }

  owns(guest: Guest, session: string): boolean {
    return this.#owners.ownerOf(session) === guest;
  }

  /** Returns and forgets the place of the last mouse press by a guest since the previous call; null if none. */
  takePress(): Press | null {
    const press = this.#press;
    this.#press = null;
    return press;
  }

  pass({ method, params, sessionId }: { method: string; params: string; sessionId: string }, guest: Guest): number {
    const id = this.#nextId();
    if (method === 'Input.dispatchMouseEvent') this.#press = pressOf(params) ?? this.#press;
    const [name, session] = [JSON.stringify(method), JSON.stringify(sessionId)];
    // Leaves out the message itself, as it may be long.
    const text = `{"id":${id},"method":${name},"params":${params},"sessionId":${session}}`;
    if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) throw new Error(`longer than ${MAX_COMMAND_BYTES} bytes`);
    this.#waiting.set(id, { guest });
    const { pending } = this.#limits;
    if (this.#waiting.size > pending) this.fail(tooMany(`${pending} commands wait for its replies`), null);
    this.#unsent += text.length;
    this.#wire.send(text, () => {
      const hadRoom = this.hasRoom;
      this.#unsent -= text.length;
      if (hadRoom || !this.hasRoom) return;
      for (const each of this.#guests) each.roomMade();
    });
    return id;
  }

  /** Forgets a command that gets no reply: it would be kept, and counted, for as long as the browser lives. */
  unanswered(number: number): void {
    this.#waiting.delete(number);
  }

  async dismiss(guest: Guest, session: string): Promise<void> {
    this.#guests.delete(guest);
    this.#owners.forget(session);
    for (const [id, waiting] of this.#waiting) {
      if ('guest' in waiting && waiting.guest === guest) this.#waiting.delete(id);
    }
    await this.#command('Target.detachFromTarget', { sessionId: session }).catch(ignoreEnded);
  }

  async #attach(method: string, params: object, within?: string): Promise<string> {
    const { result, error } = Reply.parse(JSON.parse((await this.#command(method, params, within)).toString('utf8')));
    if (result?.sessionId !== undefined) return result.sessionId;
    throw new BrowserError(fact('browser_refuses', { method, why: String(error?.message) }));
  }

  #command(method: string, params: object, sessionId?: string): Promise<Buffer> {
    if (this.#hasEnded) return Promise.reject(died(method, this.#fault));
    const id = this.#nextId();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new BrowserError(fact('browser_silent', { method, ms: TIMEOUT_MS })));
      }, TIMEOUT_MS);
      const over = (): void => {
        clearTimeout(timer);
      };
      this.#waiting.set(id, {
        settle: (reply) => {
          over();
          resolve(reply);
        },
        reject: (error) => {
          over();
          reject(error);
        },
      });
      this.#wire.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  #nextId(): number {
    do {
      this.#lastId = this.#lastId === LAST_ID ? FIRST_ID : this.#lastId + 1;
    } while (this.#waiting.has(this.#lastId));
    return this.#lastId;
  }

  #receive(message: Buffer, toJudge: (message: Buffer) => void): void {
    const id = idOf(message);
    if (id === null) this.#happened(message, toJudge);
    else if (id < FIRST_ID) toJudge(message);
    else this.#answered(id, message);
  }

  #answered(id: number, reply: Buffer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting === undefined) return;
    if ('guest' in waiting) waiting.guest.answered(id, reply);
    else waiting.settle(reply);
  }

  #happened(event: Buffer, toJudge: (message: Buffer) => void): void {
    const session = sessionOf(event);
    const owner = session === null ? JUDGE : this.#owners.ownerOf(session);
    // The session has ended, or its guest is being let in or out.
    if (owner === undefined) return;
    const isOfGuest = this.#noteAttached(event, session, owner);
    if (isOfGuest) return;
    if (owner === JUDGE) toJudge(event);
    else if (session !== null) owner.happened(session, event);
    this.#noteDetached(event);
  }

  /** Returns whether the event concerns a guest that is being let in, and must be hidden from everyone. */
  #noteAttached(event: Buffer, session: string | null, owner: Owner): boolean {
    if (!begins(event, ATTACHED)) return false;
    const { sessionId, targetInfo } = Attached.parse(JSON.parse(event.toString('utf8'))).params;
    if (session === null && targetInfo.type === 'browser') return true;
    this.#owners.add(sessionId, owner, session);
    const { sessions } = this.#limits;
    if (this.#owners.size > sessions) throw tooMany(`${sessions} pages, frames and workers are open`);
    return false;
  }

  #noteDetached(event: Buffer): void {
    if (!begins(event, DETACHED)) return;
    const { sessionId } = Detached.parse(JSON.parse(event.toString('utf8'))).params;
    const owner = this.#owners.ownerOf(sessionId);
    const ended = this.#owners.forget(sessionId);
    if (owner !== undefined && owner !== JUDGE) owner.sessionsEnded(ended);
  }

  #end(fault: Error | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#fault = fault;
    const [guests, waiting] = [[...this.#guests], [...this.#waiting.values()]];
    this.#guests.clear();
    this.#waiting.clear();
    for (const each of waiting) if ('reject' in each) each.reject(died('a command', fault));
    for (const guest of guests) guest.ended();
  }
}

function begins(message: Buffer, head: Buffer): boolean {
  return message.length > head.length && message.compare(head, 0, head.length, 0, head.length) === 0;
}

/** The guest is gone already. */
function ignoreEnded(): void {}
