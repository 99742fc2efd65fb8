import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { Captured, NetworkEntry } from '../contract/evidence.ts';

/** Everything in an episode that a fault can reach. The episode's runner implements it. */
export interface FaultPorts {
  browser: BrowserPort;
  network: NetworkPort;
}

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** The browser of the episode, by its own protocol. */
export interface BrowserPort {
  /** The context in which the episode takes place. */
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
  /** The tab in which something happened last; undefined: none is open. */
  activeTab(): Tab | undefined;
  tabs(): readonly Tab[];
  /** The way by which a tool server reaches the browser; null where a surface has none. */
  gateway: { cut(): number; readonly log: { readonly commands: number } } | null;
}

/** An open tab, as it is now. */
export interface Tab {
  readonly targetId: string;
  readonly sessionId: string;
  readonly crashed: boolean;
  readonly dialog: Dialog | null;
  /** The last that has opened, whether or not it is open still. */
  readonly lastDialog: Dialog | null;
}

export interface Dialog {
  readonly type: string;
  readonly message: string;
}

type Log = Captured<{ entries: NetworkEntry[]; next: number }>;

/** The way between the browser and the apps of the world. */
export interface NetworkPort {
  interception: Interception;
  /** Return what the world's own log has seen, and the `seq` of what comes next. */
  network(): Log | Promise<Log>;
}

/** Decides who handles each request; null lets the apps handle all. */
export interface Interception {
  by: Intercept | null;
}

/** Returns how to deal with a request in the place of its app; null: the app deals with it, as ever. */
export type Intercept = (named: NamedExchange) => ((exchange: OpenExchange) => Promise<void>) | null;

/** A request, and its place in the world's log. */
export interface NamedExchange {
  seq: number;
  method: string;
  url: string;
}

/** One request that has come in and waits for a reply. */
export interface OpenExchange {
  /** Have the app answer. */
  ask(): Promise<Response>;
  send(response: Response): Promise<void>;
  /** Send a response that the app has not given. */
  sendInstead(response: Response): Promise<void>;
  /**
   * Send the first half of the body, under headers that promise all of it.
   * @returns sends the rest
   */
  sendHalf(response: Response): Promise<() => void>;
  /** Wait, but not for a browser that has gone away, and not beyond the signal. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** End the connection. */
  hangUp(): void;
  /** End it by an error, where its protocol has one. */
  reset(): void;
}

/** A tool call that is under way through a tool server. */
export interface ServerCall {
  number: number;
  /** Fires when its caller has given up. */
  signal: AbortSignal;
  /** Have the server carry it out; its text, or what went wrong. Its reply is kept unless the fault gives another. */
  carryOut(): Promise<string>;
  /** End the server with all that it has started. */
  kill(): Promise<void>;
  /**
   * Start it again, with the same page.
   * @returns whether it runs; if not, why, or null where the episode has ended
   */
  startAgain(): Promise<{ runs: true } | { runs: false; why: string | null }>;
}

/** A reply in the place of the server's own: a failed call, or bytes that no reply consists of. */
export type ReplyInstead = { failure: string } | { bytes: string };
