import type { BrowserContext, Dialog, Page } from 'playwright-core';

/** The tabs of an episode, the one that is in front, and the dialogs that are open in them. */
export class Tabs {
  readonly #pages: Page[] = [];
  readonly #dialogs = new Map<Page, Dialog>();
  readonly #targetIds = new Map<Page, Promise<string | null>>();
  #current: Page;
  #dialogWaiters: (() => void)[] = [];

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
      for (const notify of this.#dialogWaiters.splice(0)) notify();
    });
  }

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

  /** Resolves as soon as a dialog opens in any tab. */
  dialogOpens(): Promise<void> {
    return new Promise((resolve) => {
      this.#dialogWaiters.push(resolve);
    });
  }

  async answerDialog(dialog: Dialog, accept: boolean, text: string | undefined): Promise<void> {
    this.#dialogs.delete(this.#current);
    await (accept ? dialog.accept(text) : dialog.dismiss());
  }

  /** @returns false when there is no such tab. */
  select(index: number): boolean {
    const page = this.#pages[index];
    if (page === undefined) return false;
    this.#current = page;
    return true;
  }

  /** The CDP target id of the current tab; null when the tab is gone. */
  currentTargetId(): Promise<string | null> {
    const page = this.#current;
    const known = this.#targetIds.get(page) ?? targetIdOf(page);
    this.#targetIds.set(page, known);
    return known;
  }

  #add(page: Page): void {
    this.#pages.push(page);
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
