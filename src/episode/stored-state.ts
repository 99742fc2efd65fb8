import type { Protocol } from 'devtools-protocol';

/** The cookies by which a user is known again. */
export type StoredState = readonly Protocol.Network.CookieParam[];
