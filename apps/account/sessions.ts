import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const COOKIE = 'session';

/** What a browser's cookie stands for. */
export interface Session {
  id: string;
  /** Stands in every form of this session; a post without it is refused. */
  token: string;
  /** Who has signed in; null before, and after signing out. */
  user: string | null;
  /** How many more requests it is good for while signed in; null: without end. */
  requestsLeft: number | null;
  /** Whether the password was given again, as changes of an address ask for. */
  isConfirmed: boolean;
}

/**
 * The sessions of one episode. A browser has none until it is given a page. Who signs in is given a ticket, which is good for as
 * long as nobody signs out with it, though the app be started anew: so a browser that keeps its cookies stays signed in.
 */
export class Sessions {
  readonly #byId = new Map<string, Session>();
  /** Tickets that are good no more. */
  readonly #ended = new Set<string>();
  readonly #key: string;

  /** @param key what tickets are signed with */
  constructor(key: string) {
    this.#key = key;
  }

  /** The session of a request, or a new one, and the header by which the browser is told of it. */
  of(request: Request): { session: Session; headers: Record<string, string> } {
    const id = cookieOf(request) ?? '';
    const known = this.#byId.get(id);
    if (known !== undefined) return { session: known, headers: {} };
    const user = this.#ended.has(id) ? null : this.#userOf(id);
    return user === null ? this.renewed(null, null) : { session: this.#add(id, user), headers: {} };
  }

  /** A session that nobody had before: who signs in must not keep the id that was there. */
  renewed(before: Session | null, user: string | null): { session: Session; headers: Record<string, string> } {
    if (before !== null) {
      this.#byId.delete(before.id);
      this.#ended.add(before.id);
    }
    const session = this.#add(user === null ? random() : this.#ticket(user, random()), user);
    return { session, headers: { 'set-cookie': `${COOKIE}=${session.id}; Path=/; HttpOnly; SameSite=Lax` } };
  }

  #add(id: string, user: string | null): Session {
    const session = { id, token: random(), user, requestsLeft: null, isConfirmed: false };
    this.#byId.set(id, session);
    return session;
  }

  #ticket(user: string, nonce: string): string {
    const signed = `${user}.${nonce}`;
    return `${signed}.${createHmac('sha256', this.#key).update(signed).digest('base64url')}`;
  }

  #userOf(ticket: string): string | null {
    const [user = '', nonce = ''] = ticket.split('.');
    return isSame(ticket, this.#ticket(user, nonce)) ? user : null;
  }

  /** Who is signed in, once for each session, by name. */
  get signedIn(): string[] {
    return [...this.#byId.values()].flatMap(({ user }) => user ?? []).toSorted();
  }
}

/** Whether a post comes from a form of this session. */
export function isOwn(session: Session, token: string): boolean {
  return isSame(token, session.token);
}

function isSame(one: string, other: string): boolean {
  const [given, wanted] = [Buffer.from(one), Buffer.from(other)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function cookieOf(request: Request): string | null {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w.-]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? null;
}

function random(): string {
  return randomBytes(18).toString('base64url');
}
