import { messageOf } from '../contract/message-of.ts';

/** A bundle cannot be served where it was to be. */
export class ViewerError extends Error {
  readonly code = 'cannot_listen';
  readonly remedy = 'name another --port, or none: then one is chosen that is free';

  constructor(port: number, cause: unknown) {
    super(`cannot listen at port ${port}: ${messageOf(cause)}`, { cause });
    this.name = 'ViewerError';
  }
}
