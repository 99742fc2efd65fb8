import type { Captured, NetworkEntry } from '../../contract/evidence.ts';
import type { RefusedRequest } from '../../contract/refused-request.ts';
import type { NamedExchange } from '../../fault/ports.ts';
import type { WORLD } from '../../messages/world.ts';
import type { Fact } from '../../messages/message.ts';
import type { ArchiveChoice } from '../archive/archive-world.ts';
import type { Behind } from '../backend.ts';
import type { Nac3Served } from '../exchange-log.ts';
import type { LocalWorldOptions, Site, States } from '../local.ts';
import type { TlsIdentity } from '../tls-identity.ts';

/** The places of a world's counts in memory that both threads see: the main thread reads them without asking. */
export const CELLS = { sent: 0, unanswered: 1, logged: 2, refused: 3, isIntercepted: 4, offArchive: 5 } as const;
export const CELLS_BYTES = 6 * Int32Array.BYTES_PER_ELEMENT;

/** A site as a thread makes it: of files, or of a process that runs already. */
export interface ThreadSite extends Omit<Site, 'create' | 'madeOf'> {
  from: NonNullable<Site['madeOf']> | { behind: Behind; hasWebSockets: boolean };
}

/** A world of sites, or a piece of the recorded web. */
export type ThreadWorld = { identity: TlsIdentity } & (
  | ({ sites: ThreadSite[] } & Pick<LocalWorldOptions, 'parameters' | 'live' | 'clock' | 'manifest' | 'whole'>)
  | { archive: ArchiveChoice; task: string; whole: boolean }
);

/** A response that a thread has, by its number, or one that a fault has made. */
export type ResponseToSend =
  | { asked: number }
  | { status: number; headers: [string, string][]; body: Uint8Array<ArrayBuffer> };

/** A fault's step in handling a request that waits. */
export type ExchangeAct =
  | { act: 'ask' | 'sendRest' | 'hangUp' | 'reset' }
  | { act: 'send' | 'sendInstead' | 'sendHalf'; response: ResponseToSend }
  | { act: 'pause'; ms: number };

/** A way in or a world is a number, as is an exchange; none is used again. */
export type Asked =
  | { kind: 'raise'; id: number; cells: SharedArrayBuffer; world: ThreadWorld }
  | { kind: 'open'; id: number; world: number }
  | { kind: 'states' | 'network' | 'nac3' | 'refused' | 'cut' | 'close'; id: number }
  | { kind: 'act'; exchange: number; act: ExchangeAct };

/** Requests of the main thread; those with a `call` are answered. */
export type ToWorlds =
  | { kind: 'asked'; call: number; asked: Asked }
  /** A fault has dealt with an exchange; `passes`: it leaves it to the app. */
  | { kind: 'dealt'; exchange: number; passes: boolean; problem: string | null }
  | { kind: 'wake'; exchange: number };

export interface WorldReply {
  server?: string;
  states?: States;
  network?: Captured<{ entries: NetworkEntry[]; next: number }>;
  nac3?: Nac3Served;
  refused?: RefusedRequest[];
  response?: number;
  /** Whether nothing of the worlds that are closed can run any more. */
  isIdle?: boolean;
}

export type FromWorlds =
  | { kind: 'replied'; call: number; reply: WorldReply }
  | { kind: 'failed'; call: number; why: string; fact: Fact<keyof typeof WORLD> | null }
  /** A request that a fault may deal with. */
  | { kind: 'named'; world: number; exchange: number; named: NamedExchange };
