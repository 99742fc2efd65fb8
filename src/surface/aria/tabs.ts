import type { BrowserContext, Dialog, Page } from 'playwright-core';

/** The tabs of an episode, the one that is in front, and the dialogs that are open in them. */
export class Tabs {
  readonly #pages: Page[] = [];
  readonly #dialogs = new Map<Page, Dialog>();
  readonly #targetIds = new Map<Page, Promise<string | null>>();
  readonly #dialogWaiters = new Set<() => void>();
  #current: Page;

  constructor(context: BrowserContext, first: Page) {
    this.#current = first;
    this.#add(first);
    // As for a user: a tab that the page opens comes to the front.
    context.on('page', (page) => {
      this.#add(page);
      this.#current = page;
    });
    context.on('dialog', (dialog) => {
      const page = dialog.page();
      if (page === null) return;
      this.#dialogs.set(page, dialog);
      for (const notify of this.#dialogWaiters) notify();
    });
  }

  /** The tab in front; a closed page when no tab is open any more. */
  get current(): Page {
    return this.#current;
  }

  get all(): readonly Page[] {
    return this.#pages;
  }

  /** The dialog that is open in the current tab. */
  get dialog(): Dialog | null {
    return this.#dialogs.get(this.#current) ?? null;
  }

  hasDialog(page: Page): boolean {
    return this.#dialogs.has(page);
  }

  /** Resolves as soon as a dialog opens in any tab, for it may hold up the others; the signal ends the wait. */
  dialogOpens(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#dialogWaiters.add(resolve);
      signal.addEventListener('abort', () => this.#dialogWaiters.delete(resolve), { once: true });
    });
  }

  async answerDialog(dialog: Dialog, accept: boolean, text: string | undefined): Promise<void> {
    this.#dialogs.delete(this.#current);
    await (accept ? dialog.accept(text) : dialog.dismiss());
  }

  select(page: Page): void {
    this.#current = page;
  }

  /** The CDP target id of the current tab; null when the tab is gone. */
  async currentTargetId(): Promise<string | null> {
    return (await this.#targetIds.get(this.#current)) ?? null;
  }

  #add(page: Page): void {
    this.#pages.push(page);
    // Asked at once: a page that has closed cannot be asked any more.
    this.#targetIds.set(page, targetIdOf(page));
    page.on('close', () => {
      this.#dialogs.delete(page);
      const index = this.#pages.indexOf(page);
      this.#pages.splice(index, 1);
      if (this.#current === page) this.#current = this.#pages[Math.max(0, index - 1)] ?? page;
    });
  }
}

async function targetIdOf(page: Page): Promise<string | null> {
  try {
    const session = await page.context().newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await session.detach();
    return targetInfo.targetId;
  } catch {
    return null;
  }
}
