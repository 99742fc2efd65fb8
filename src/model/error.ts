/**
 * A call that brought no reply to act on. `outage`: the provider failed or could not be reached, as its answers over HTTP show.
 * `turned_away`: it does not serve this key, account or model. `refused`: it would not take this request. `malformed`: it
 * answered, and that is no reply.
 */
export class ModelError extends Error {
  readonly kind: 'outage' | 'turned_away' | 'refused' | 'malformed';

  constructor(kind: ModelError['kind'], message: string) {
    super(message);
    this.name = 'ModelError';
    this.kind = kind;
  }
}

/** A request that is not the one that was recorded. */
export class ModelDrift extends Error {
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`expected ${expected}, but ${actual}`);
    this.name = 'ModelDrift';
    this.expected = expected;
    this.actual = actual;
  }
}
