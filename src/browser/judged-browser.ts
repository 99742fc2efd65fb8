import type { Browser } from 'playwright-core';
import type { BrowserKind } from './find.ts';
import type { Observer } from './observer.ts';
import type { Switchboard } from './switchboard.ts';

/** The facts that a row has of the browser; read from the browser that runs. */
export interface BrowserIdentity {
  name: string;
  version: string;
  build: string;
  kind: BrowserKind;
  ours: boolean;
  /** Pinned, because a browser without its sandbox is not what users run. Null of a browser that we did not start. */
  sandbox: boolean | null;
  /** Keeps the files and the ports of the machine from it, as for a process. Absent of a browser that we did not start. */
  isolation?: 'bubblewrap' | 'user' | 'none';
}

/** `cut_off`: it runs, but a connection to it is lost. */
export type BrowserCondition = 'fit' | 'cut_off' | 'ended';

export type BrowserHealth = Pick<JudgedBrowser, 'condition' | 'fault'>;

/** A browser in which episodes are judged: one that we launched, or one that was there. */
export interface JudgedBrowser {
  identity: BrowserIdentity;
  observer: Observer;
  /** The way in for surfaces that work through Playwright. Made when it is first needed: pages can detect it. */
  playwright(): Promise<Browser>;
  /** The way in for others. A tool never gets it, but a gateway before it. */
  switchboard: Switchboard;
  /** The user that it runs as; null for ours, or if that is unknown. */
  uid: number | null;
  /** Leads the default context, which has no proxy of its own, into a world. Null if the browser is not ours. */
  forwardTo: ((proxy: string) => void) | null;
  /** Lays copies of files where it can read them, and returns their folder. Null of a browser that is not ours. */
  layFiles: ((files: readonly { name: string; bytes: Buffer }[]) => Promise<string>) | null;
  /** Requests that the browser made on its own account; all were refused. */
  backgroundRequests: () => Record<string, number>;
  /** Resolves when we have lost it, and nothing of ours is left in it. */
  ended: Promise<void>;
  isRunning(): boolean;
  isFit(): boolean;
  /** As {@link isFit}, but with the reason; waits a little, since a connection may end before the process does. */
  condition(): Promise<BrowserCondition>;
  /** Why we cut the connection to it, if it sent something that could not be handled; null otherwise. */
  fault(): string | null;
  /** Ends it; of a browser that is not ours, only our connections to it. */
  close(): Promise<void>;
}

export function identityOf(product: string): Pick<BrowserIdentity, 'name' | 'version' | 'kind'> {
  const [name = '', version = ''] = product.split('/');
  return { name, version, kind: name === 'HeadlessChrome' ? 'shell' : 'full' };
}
