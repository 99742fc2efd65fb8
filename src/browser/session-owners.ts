interface Session<Owner> {
  owner: Owner;
  parent: string | null;
  children: Set<string>;
}

/** Maps each session of a connection to its owner: that of the session through which it was attached. */
export class SessionOwners<Owner> {
  readonly #sessions = new Map<string, Session<Owner>>();

  get size(): number {
    return this.#sessions.size;
  }

  add(session: string, owner: Owner, parent: string | null): void {
    this.#sessions.set(session, { owner, parent, children: new Set() });
    this.#sessions.get(parent ?? '')?.children.add(session);
  }

  ownerOf(session: string): Owner | undefined {
    return this.#sessions.get(session)?.owner;
  }

  /** Forgets a session that has ended, and all that were attached through it, which end with it. */
  forget(session: string): string[] {
    const parent = this.#sessions.get(session)?.parent ?? '';
    this.#sessions.get(parent)?.children.delete(session);
    const ended: string[] = [];
    for (const left = [session]; left.length > 0;) {
      const next = left.pop() ?? '';
      left.push(...(this.#sessions.get(next)?.children ?? []));
      if (this.#sessions.delete(next)) ended.push(next);
    }
    return ended;
  }
}
