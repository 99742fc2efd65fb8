import { performance } from 'node:perf_hooks';
import { createRedactor, type Redactor } from '../bundle/redact.ts';
import type { StoredState } from '../episode/episode-setup.ts';

/** A role that is signed in, and how long the login took, in ms. */
export interface SignedIn {
  state: StoredState;
  setupMs: number;
}

/** A cookie of fewer characters does not identify a user: it could be guessed. */
const LEAST_SECRET = 8;

/**
 * The roles of a campaign that are signed in: each once, when an episode first needs it. They are held in memory alone;
 * a campaign that is resumed makes them again.
 */
export class StoredStates {
  readonly #made = new Map<string, SignedIn>();
  /** Those that are being signed in; other episodes wait for them. */
  readonly #making = new Map<string, Promise<SignedIn | { failure: string }>>();
  #own = createRedactor([]);

  /** Keeps the cookies out of what is written, from the moment that they are known. */
  readonly redactor: Redactor = {
    text: (text) => this.#own.text(text),
    json: (value) => this.#own.json(value),
  };

  /** The role as it was signed in before, or as it is now; one that cannot be signed in is tried again the next time. */
  async of(
    role: string,
    make: () => Promise<{ state: StoredState } | { failure: string }>,
  ): Promise<SignedIn | { failure: string }> {
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
    make: () => Promise<{ state: StoredState } | { failure: string }>,
  ): Promise<SignedIn | { failure: string }> {
    const begun = performance.now();
    const made = await make();
    if ('failure' in made) return made;
    const signedIn = { state: made.state, setupMs: performance.now() - begun };
    this.#made.set(role, signedIn);
    const cookies = [...this.#made.values()].flatMap(({ state }) => state);
    this.#own = createRedactor(
      cookies.flatMap(({ name, value }) =>
        asWritten(value).map((form) => ({ name: `COOKIE_${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`, value: form })),
      ),
    );
    return signedIn;
  }
}

/** A cookie as it was set and, where it was escaped for that, as the app means it and a page may show it. */
function asWritten(value: string): string[] {
  const forms = new Set([value, decoded(value)]);
  return [...forms].filter((form) => form.length >= LEAST_SECRET);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
