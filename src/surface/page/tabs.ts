import type { BrowserContext, CDPSession, Dialog, Page } from 'playwright-core';
import type { ContextSeat } from '../surface.ts';

/** The tabs of an episode, the one that is in front, and the dialogs that are open in them. */
export class Tabs {
  readonly #pages: Page[] = [];
  readonly #context: BrowserContext;
  readonly #crashed = new Set<Page>();
  readonly #dialogs = new Map<Page, Dialog>();
  readonly #targetIds = new Map<Page, Promise<string | null>>();
  readonly #dialogWaiters = new Set<() => void>();
  readonly #arrivalWaiters = new Set<() => void>();
  /** Target ids of tabs that the browser has opened and Playwright has not reported yet. */
  readonly #coming = new Set<string>();
  #current: Page;
  /** The connection on which the browser reports tabs; it would outlive the episode. */
  #browserSession: CDPSession | null = null;

  private constructor(context: BrowserContext, first: Page) {
    this.#context = context;
    this.#current = first;
  }

  static async open({ context, page, contextId, targetId }: ContextSeat): Promise<Tabs> {
    const tabs = new Tabs(context, page);
    tabs.#add(page, Promise.resolve(targetId));
    // As for a user: a tab that the page opens comes to the front.
    context.on('page', (opened) => {
      // Asked at once: a page that has closed cannot be asked any more.
      tabs.#add(opened, targetIdOf(opened));
      tabs.#current = opened;
    });
    context.on('dialog', (dialog) => {
      tabs.#dialogOpened(dialog);
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

  /** Whether the page of the tab in front has crashed: nothing can be done in it any more. */
  get hasCrashed(): boolean {
    return this.#crashed.has(this.#current);
  }

  /** Opens a tab, which comes to the front; one that has crashed there goes. */
  async renew(): Promise<void> {
    const gone = this.#crashed.has(this.#current) ? this.#current : null;
    this.#current = await this.#context.newPage();
    await gone?.close();
  }

  get dialog(): Dialog | null {
    return this.#dialogs.get(this.#current) ?? null;
  }

  hasDialog(page: Page): boolean {
    return this.#dialogs.has(page);
  }

  /** Resolves as soon as a dialog opens in any tab, for it may hold up the others; the signal ends the wait. */
  dialogOpens(signal: AbortSignal): Promise<void> {
    return notified(this.#dialogWaiters, signal);
  }

  /** Resolves when every tab that has been opened is here; the signal ends the wait. */
  async arrived(signal: AbortSignal): Promise<void> {
    while (this.#coming.size > 0 && !signal.aborted) await notified(this.#arrivalWaiters, signal);
  }

  async answerDialog(dialog: Dialog, accept: boolean, text: string | undefined): Promise<void> {
    this.#dialogs.delete(this.#current);
    // As for a user, what the page has filled in stays unless it is written over.
    await (accept ? dialog.accept(text ?? dialog.defaultValue()) : dialog.dismiss());
  }

  select(page: Page): void {
    this.#current = page;
  }

  /** The CDP target id of the current tab; null when the tab is gone. */
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
      this.#dialogs.delete(page);
      const index = this.#pages.indexOf(page);
      this.#pages.splice(index, 1);
      if (this.#current === page) this.#current = this.#pages[Math.max(0, index - 1)] ?? page;
    });
  }

  /** Playwright reports a new tab late, when the action that opened it may be over. The browser reports it at once. */
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
    for (const notify of this.#arrivalWaiters) notify();
  }

  #dialogOpened(dialog: Dialog): void {
    const page = dialog.page();
    if (page === null) return;
    this.#dialogs.set(page, dialog);
    for (const notify of this.#dialogWaiters) notify();
  }
}

function notified(waiters: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      waiters.delete(notify);
      resolve();
    };
    const notify = (): void => {
      signal.removeEventListener('abort', stop);
      stop();
    };
    waiters.add(notify);
    signal.addEventListener('abort', stop, { once: true });
  });
}

async function targetIdOf(page: Page): Promise<string | null> {
  try {
    const session = await page.context().newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    // Not waited for: it does not come to an end while the page waits for a server.
    session.detach().catch(() => {});
    return targetInfo.targetId;
  } catch {
    return null;
  }
}
