import { z } from 'zod';
import { readdressed } from './envelope.ts';

/** A command as it is passed on, without any other field that the client has set. */
export interface GuestCommand {
  id: number;
  method: string;
  /** As JSON. */
  params: string;
  /** Null or absent: to what the guest is connected to. */
  sessionId?: string | undefined;
}

export interface GuestListener {
  /** A reply or an event, as over its own connection. */
  onMessage(message: Buffer): void;
  /** Nothing comes any more: the browser is gone, or what the guest was connected to. */
  onEnd(): void;
  onRoom(): void;
  onOpened?(targetId: string): void;
}

/** The line that a guest shares, as far as it needs it. */
export interface SharedLine {
  readonly hasRoom: boolean;
  owns(guest: Guest, session: string): boolean;
  /** Sends a command under a number of the line's own, which it returns. */
  pass(command: { method: string; params: string; sessionId: string }, by: Guest): number;
  /** Notes that a command gets no reply any more. */
  unanswered(number: number): void;
  /** Detaches the guest from the browser. Resolves when that is done. */
  dismiss(guest: Guest, session: string): Promise<void>;
}

/** Most commands of one guest that may wait for their replies: later ones must not delay other guests. */
const MAX_UNANSWERED = 4_096;
const OPENING = 'Target.createTarget';
const Opened = z.object({ result: z.object({ targetId: z.string() }) });
const NO_SESSION = { code: -32_001, message: 'Session with given id not found.' };

/** A connection to the browser in all but name: it has its own sessions, numbers and end. */
export class Guest {
  readonly #line: SharedLine;
  readonly #listener: GuestListener;
  /** Its own session of the browser, with which all that it has done there ends. */
  readonly #own: string;
  /** The session of commands that name none: the guest's own, or that of the page that it is connected to. */
  #seat: string;
  readonly #asked = new Map<number, { id: number; session: string; isOpening: boolean }>();
  #hasLeft = false;

  constructor(line: SharedLine, listener: GuestListener, own: string) {
    this.#line = line;
    this.#listener = listener;
    this.#own = own;
    this.#seat = own;
  }

  /** False while its commands await answers, or the browser has yet to read them. */
  get hasRoom(): boolean {
    return this.#asked.size < MAX_UNANSWERED && this.#line.hasRoom;
  }

  /** @throws Error if it is too long for the browser */
  send({ id, method, params, sessionId }: GuestCommand): void {
    if (this.#hasLeft) return;
    if (sessionId !== undefined && !this.#line.owns(this, sessionId)) {
      this.#listener.onMessage(Buffer.from(JSON.stringify({ id, error: NO_SESSION })));
      return;
    }
    const session = sessionId ?? this.#seat;
    const number = this.#line.pass({ method, params, sessionId: session }, this);
    this.#asked.set(number, { id, session, isOpening: method === OPENING });
  }

  /** Ends what it has begun in the browser: sessions, what they block, and contexts that end with them. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#asked.clear();
    await this.#line.dismiss(this, this.#own);
  }

  /** Called by the line: from now on the guest is connected to this session, of a page. */
  sitAt(session: string): void {
    this.#seat = session;
  }

  answered(number: number, reply: Buffer): void {
    const asked = this.#asked.get(number);
    if (asked === undefined) return;
    const hadRoom = this.hasRoom;
    this.#asked.delete(number);
    if (asked.isOpening) this.#opened(reply);
    this.#listener.onMessage(readdressed(reply, { id: asked.id, isOfRoot: asked.session === this.#seat }));
    if (!hadRoom) this.#listener.onRoom();
  }

  #opened(reply: Buffer): void {
    const { data } = Opened.safeParse(JSON.parse(reply.toString('utf8')));
    if (data !== undefined) this.#listener.onOpened?.(data.result.targetId);
  }

  happened(session: string, event: Buffer): void {
    // It is not notified of the session that led it to a page.
    if (session === this.#own && session !== this.#seat) return;
    this.#listener.onMessage(readdressed(event, { isOfRoot: session === this.#seat }));
  }

  /** Called by the line: these sessions have ended. Commands that wait for a reply of theirs get none any more. */
  sessionsEnded(sessions: readonly string[]): void {
    if (sessions.includes(this.#seat)) {
      this.ended();
      void this.leave();
      return;
    }
    const gone = new Set(sessions);
    for (const [number, { id, session }] of this.#asked) {
      if (!gone.has(session)) continue;
      this.#asked.delete(number);
      this.#line.unanswered(number);
      this.#listener.onMessage(Buffer.from(JSON.stringify({ id, error: NO_SESSION, sessionId: session })));
    }
  }

  roomMade(): void {
    this.#listener.onRoom();
  }

  ended(): void {
    this.#listener.onEnd();
  }
}
