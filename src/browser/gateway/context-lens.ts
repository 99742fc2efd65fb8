import type { Protocol } from 'devtools-protocol';
import { tooMany } from '../error.ts';
import type { Observer } from '../observer.ts';

/** The part of a browser that is led into a world, as its clients are to find it. */
export interface Lensed {
  /** The judge's view of the whole browser. */
  observer: Pick<Observer, 'lead' | 'pages'>;
  /** The browser context that clients take for the default one; it is led already. */
  contextId: string;
  /** The way that leads into the world, for contexts that clients make. */
  proxy: { server: string; bypass: string };
  /** In CSS pixels, of every page. */
  viewport: { width: number; height: number };
}

/** Facts of a target that tell whose it is. */
export type Target = Pick<Protocol.Target.TargetInfo, 'targetId' | 'type' | 'url'> & {
  browserContextId?: string | undefined;
};

/** Most targets of which clients are told in one episode. */
const MAX_TOLD = 100_000;

/** Pages of the browser itself and of its extensions: some may open any file of its owner, and none is of the world. */
const OWN_PAGE = /^(?:chrome|chrome-extension|chrome-untrusted|devtools):/;

/**
 * One context of a browser that is not ours, as if it were the whole browser: with it belong the contexts that clients make,
 * and what is in them. Everything else is its owner's, of which clients learn nothing. A target belongs to it only once it
 * was seen to: no client can name one that nobody has told of.
 */
export class ContextLens {
  readonly #lensed: Lensed;
  readonly #contexts = new Set<string>();
  /** Ids of targets of which clients were told; some may be closed. */
  readonly #told = new Set<string>();
  readonly #windows = new Set<number>();

  constructor(lensed: Lensed) {
    this.#lensed = lensed;
    this.#contexts.add(lensed.contextId);
  }

  /** The context that stands for the default one. */
  get home(): string {
    return this.#lensed.contextId;
  }

  get proxy(): Lensed['proxy'] {
    return this.#lensed.proxy;
  }

  /** The contexts beside the default one: those that clients have made. */
  get made(): string[] {
    return [...this.#contexts].filter((context) => context !== this.home);
  }

  /** Takes in a context that a client has made, to be led as the first one is. */
  add(contextId: string): void {
    this.#contexts.add(contextId);
    this.#lead(contextId);
  }

  /** Leads all contexts again: where a client ends that had settled downloads, the browser keeps them as it did before. */
  leadAgain(): void {
    for (const context of this.#contexts) this.#lead(context);
  }

  #lead(contextId: string): void {
    const { observer, viewport } = this.#lensed;
    observer.lead(contextId, viewport).catch(ignoreEnded);
  }

  remove(contextId: string): void {
    if (contextId !== this.home) this.#contexts.delete(contextId);
  }

  hasContext(contextId: unknown): boolean {
    return typeof contextId === 'string' && this.#contexts.has(contextId);
  }

  hasTarget(targetId: unknown): boolean {
    return typeof targetId === 'string' && (this.#told.has(targetId) || this.hasOpenPage(targetId));
  }

  /** Whether it is a page that is open: Chromium ends when it is asked for the window of what is no target of it any more. */
  hasOpenPage(targetId: unknown): boolean {
    const { observer } = this.#lensed;
    return [...this.#contexts].some((context) => observer.pages(context).some((page) => page.targetId === targetId));
  }

  hasWindow(windowId: unknown): boolean {
    return typeof windowId === 'number' && this.#windows.has(windowId);
  }

  /** Says whether clients are to see this target, and remembers that they were told of it. */
  sees({ targetId, type, url, browserContextId }: Target): boolean {
    // The browser itself, which each client has a session of, is in no context.
    const isIn = browserContextId === undefined ? type === 'browser' : this.#contexts.has(browserContextId);
    const isSeen = isIn && !OWN_PAGE.test(url);
    if (isSeen) this.tellTarget(targetId);
    return isSeen;
  }

  /** @throws BrowserError where the browser tells of more than any has */
  tellTarget(targetId: string): void {
    this.#told.add(targetId);
    if (this.#told.size > MAX_TOLD) throw tooMany(`${MAX_TOLD} pages, frames and workers were open`);
  }

  tellWindow(windowId: number): void {
    this.#windows.add(windowId);
  }
}

/** A context may be gone already, and all downloads of it with it. */
function ignoreEnded(): void {}
