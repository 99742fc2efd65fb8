import { randomBytes, timingSafeEqual } from 'node:crypto';

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

/** The sessions of one episode. A browser has none until it is given a page. */
export class Sessions {
  readonly #byId = new Map<string, Session>();

  /** The session of a request, or a new one, and the header by which the browser is told of it. */
  of(request: Request): { session: Session; headers: Record<string, string> } {
    const known = this.#byId.get(cookieOf(request) ?? '');
    if (known !== undefined) return { session: known, headers: {} };
    return this.renewed(null);
  }

  /** A session that nobody had before: who signs in must not keep the id that was there. */
  renewed(before: Session | null): { session: Session; headers: Record<string, string> } {
    if (before !== null) this.#byId.delete(before.id);
    const session = { id: random(), token: random(), user: null, requestsLeft: null, isConfirmed: false };
    this.#byId.set(session.id, session);
    return { session, headers: { 'set-cookie': `${COOKIE}=${session.id}; Path=/; HttpOnly; SameSite=Lax` } };
  }

  /** How many are signed in. */
  get signedIn(): number {
    return [...this.#byId.values()].filter(({ user }) => user !== null).length;
  }
}

/** Whether a post comes from a form of this session. */
export function isOwn(session: Session, token: string): boolean {
  const [given, wanted] = [Buffer.from(token), Buffer.from(session.token)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function cookieOf(request: Request): string | null {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? null;
}

function random(): string {
  return randomBytes(18).toString('base64url');
}
