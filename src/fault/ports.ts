import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { Captured, NetworkEntry } from '../contract/evidence.ts';

export interface FaultPorts {
  browser: BrowserPort;
  network: NetworkPort;
}

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

export interface BrowserPort {
  contextId: string;
  cdp: {
    send<M extends keyof Commands>(
      method: M,
      params?: Commands[M]['paramsType'][0],
      options?: { sessionId?: string; timeoutMs?: number },
    ): Promise<Commands[M]['returnType']>;
    /** @returns ends it */
    on<E extends keyof Events>(
      event: E,
      listener: (params: Events[E][0], sessionId: string | undefined) => void,
    ): () => void;
  };
  /** The tab of the last event; undefined if none is open. */
  activeTab(): Tab | undefined;
  tabs(): readonly Tab[];
  /** A tool server's connection to the browser; null for surfaces without one. */
  gateway: { cut(): number; readonly log: { readonly commands: number } } | null;
}

export interface Tab {
  readonly targetId: string;
  readonly sessionId: string;
  readonly crashed: boolean;
  readonly dialog: Dialog | null;
  /** The last one opened, even if closed since. */
  readonly lastDialog: Dialog | null;
}

export interface Dialog {
  readonly type: string;
  readonly message: string;
}

type Log = Captured<{ entries: NetworkEntry[]; next: number }>;

/** Between the browser and the apps of the world. */
export interface NetworkPort {
  interception: Interception;
  /** The world's own log, and the `seq` of its next entry. */
  network(): Log | Promise<Log>;
}

/** Decides who handles each request; null leaves all to the apps. */
export interface Interception {
  by: Intercept | null;
}

/** Handles a request instead of its app; null leaves it to the app. */
export type Intercept = (named: NamedExchange) => ((exchange: OpenExchange) => Promise<void>) | null;

export interface NamedExchange {
  seq: number;
  method: string;
  url: string;
}

/** A request that waits for a reply. */
export interface OpenExchange {
  ask(): Promise<Response>;
  send(response: Response): Promise<void>;
  sendInstead(response: Response): Promise<void>;
  /** Sends the first half of the body, under headers that promise all of it. @returns sends the rest */
  sendHalf(response: Response): Promise<() => void>;
  /** Waits, but not for a browser that is gone, nor beyond the signal. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  hangUp(): void;
  /** Ends it by an error, if its protocol has one. */
  reset(): void;
}

export interface ServerCall {
  number: number;
  /** Fires when its caller has given up. */
  signal: AbortSignal;
  /** Makes the call; returns its text or error. The reply is kept unless the fault gives another. */
  carryOut(): Promise<string>;
  /** Ends the server with its whole process tree. */
  kill(): Promise<void>;
  /** Starts it again, with the same page. `why` is null if the episode has ended. */
  startAgain(): Promise<{ runs: true } | { runs: false; why: string | null }>;
}

/** Replaces the server's reply: a failed call, or bytes that are not a reply. */
export type ReplyInstead = { failure: string } | { bytes: string };
