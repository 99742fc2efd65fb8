import { isNetwork, isPage, isServer } from './schedule.ts';
import type { Fault } from './schema.ts';

/** What there is of an entrant that a fault could strike. */
export interface Strikable {
  /** It drives the browser itself: nobody sees what it is shown, or its calls. */
  drivesItself: boolean;
  /** It shows pages, in text or in pictures. */
  showsPages: boolean;
  /** It has a process of its own, which reaches the browser by our gateway. */
  hasServer: boolean;
}

/** Why a fault cannot strike an entrant; null when it can. */
export function whyNotStruck(fault: Pick<Fault, 'kind'>, entrant: Strikable): string | null {
  const { kind } = fault;
  if (isNetwork(fault)) return null;
  if (entrant.drivesItself)
    return `${kind} comes with a tool call, and nobody sees those of who drives the browser itself`;
  if (kind === 'connection_cut' && !entrant.hasServer) return 'the surface has no connection of its own to be cut';
  if (isServer(fault) && !entrant.hasServer) return 'the surface is built in: there is no tool server';
  if (isPage(fault) && !entrant.showsPages) return 'the surface shows no pages, so no element is ever observed';
  return null;
}
