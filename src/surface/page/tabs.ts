import { EventEmitter, once } from 'node:events';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { ContextSeat } from '../surface.ts';
import { Dialogs } from './dialogs.ts';

/** The tabs of an episode, the one in front, and their open dialogs. */
export class Tabs {
  readonly dialogs = new Dialogs<Page>();
  readonly #pages: Page[] = [];
  readonly #context: BrowserContext;
  readonly #crashed = new Set<Page>();
  readonly #targetIds = new Map<Page, Promise<string | null>>();
  readonly #events = new EventEmitter();
  /** Target ids of tabs that Playwright has not reported yet. */
  readonly #coming = new Set<string>();
  #current: Page;
  /** Reports tabs; it would outlive the episode. */
  #browserSession: CDPSession | null = null;

  private constructor(context: BrowserContext, first: Page) {
    this.#context = context;
    this.#current = first;
  }

  static async open({ context, page, contextId, targetId }: ContextSeat): Promise<Tabs> {
    const tabs = new Tabs(context, page);
    tabs.#add(page, Promise.resolve(targetId));
    // As for a user, a tab that the page opens becomes the current one.
    context.on('page', (opened) => {
      // At once, since a page that has closed cannot be asked.
      tabs.#add(opened, targetIdOf(opened));
      tabs.#current = opened;
    });
    context.on('dialog', (dialog) => {
      const of = dialog.page();
      if (of !== null) tabs.dialogs.opened(of, dialog);
    });
    await tabs.#watchTargets(context, contextId);
    return tabs;
  }

  async close(): Promise<void> {
    await this.#browserSession?.detach();
  }

  /** The tab in front; a closed page when no tab is open any more. */
  get current(): Page {
    return this.#current;
  }

  get all(): readonly Page[] {
    return this.#pages;
  }

  get hasCrashed(): boolean {
    return this.#crashed.has(this.#current);
  }

  /** Opens a tab in front, and closes one that has crashed there. */
  async renew(): Promise<void> {
    const gone = this.#crashed.has(this.#current) ? this.#current : null;
    this.#current = await this.#context.newPage();
    await gone?.close();
  }

  /** Resolves when Playwright has reported every tab; the signal ends the wait. */
  async arrived(signal: AbortSignal): Promise<void> {
    while (this.#coming.size > 0 && !signal.aborted) await once(this.#events, 'arrived', { signal }).catch(() => {});
  }

  select(page: Page): void {
    this.#current = page;
  }

  async currentTargetId(): Promise<string | null> {
    return (await this.#targetIds.get(this.#current)) ?? null;
  }

  #add(page: Page, targetId: Promise<string | null>): void {
    this.#pages.push(page);
    this.#targetIds.set(page, targetId);
    void targetId.then((known) => this.#settle(known));
    page.on('crash', () => this.#crashed.add(page));
    page.on('close', () => {
      this.#crashed.delete(page);
      this.dialogs.tabClosed(page);
      const index = this.#pages.indexOf(page);
      this.#pages.splice(index, 1);
      if (this.#current === page) this.#current = this.#pages[Math.max(0, index - 1)] ?? page;
    });
  }

  /** The browser reports a new tab at once, Playwright perhaps after the action that opened it. */
  async #watchTargets(context: BrowserContext, contextId: string): Promise<void> {
    const session = (await context.browser()?.newBrowserCDPSession()) ?? null;
    this.#browserSession = session;
    if (session === null) return;
    const here = new Set(await Promise.all(this.#targetIds.values()));
    session.on('Target.targetCreated', ({ targetInfo: { targetId, type, browserContextId } }) => {
      if (type === 'page' && browserContextId === contextId && !here.has(targetId)) this.#coming.add(targetId);
    });
    session.on('Target.targetDestroyed', ({ targetId }) => {
      this.#settle(targetId);
    });
    await session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  }

  #settle(targetId: string | null): void {
    if (targetId !== null) this.#coming.delete(targetId);
    this.#events.emit('arrived');
  }
}

async function targetIdOf(page: Page): Promise<string | null> {
  try {
    const session = await page.context().newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    // Not awaited: it does not end while the page waits for a server.
    session.detach().catch(() => {});
    return targetInfo.targetId;
  } catch {
    return null;
  }
}
