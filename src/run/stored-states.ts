import { unescaped } from '../browser/endpoint-address.ts';
import { performance } from 'node:perf_hooks';
import { createRedactor, type Redactor } from '../bundle/redact.ts';
import type { Session } from '../episode/sign-in.ts';

export interface SignedIn {
  session: Session;
  /** Time of the login. */
  setupMs: number;
}

/** Shorter cookies identify no user: they could be guessed. */
const MIN_SECRET = 8;

/** Signs in each role of a campaign when an episode first needs it, and holds it in memory alone: a resume signs in again. */
export class StoredStates {
  readonly #made = new Map<string, SignedIn>();
  readonly #making = new Map<string, Promise<SignedIn | { failure: string }>>();
  #own = createRedactor([]);

  /** Redacts the cookies from the moment that they are known. */
  readonly redactor: Redactor = {
    text: (text) => this.#own.text(text),
    json: (value) => this.#own.json(value),
  };

  /** Returns the role, signed in once. A failed login is repeated for the next episode. */
  async of(role: string, make: () => Promise<Session | { failure: string }>): Promise<SignedIn | { failure: string }> {
    const known = this.#made.get(role) ?? this.#making.get(role);
    if (known !== undefined) return await known;
    const making = this.#make(role, make);
    this.#making.set(role, making);
    try {
      return await making;
    } finally {
      this.#making.delete(role);
    }
  }

  async #make(
    role: string,
    make: () => Promise<Session | { failure: string }>,
  ): Promise<SignedIn | { failure: string }> {
    const begun = performance.now();
    const made = await make();
    if ('failure' in made) return made;
    const signedIn = { session: made, setupMs: performance.now() - begun };
    this.#made.set(role, signedIn);
    const cookies = [...this.#made.values()].flatMap(({ session }) => session.cookies);
    this.#own = createRedactor(
      cookies.flatMap(({ name, value }) =>
        asWritten(value).map((form) => ({ name: `COOKIE_${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`, value: form })),
      ),
    );
    return signedIn;
  }
}

/** The forms of a cookie that may appear: as it was set and, if it was escaped for that, decoded. */
function asWritten(value: string): string[] {
  const forms = new Set([value, unescaped(value)]);
  return [...forms].filter((form) => form.length >= MIN_SECRET);
}
