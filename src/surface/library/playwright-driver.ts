import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import {
  Dialogs,
  LIBRARY_TIMEOUT_MS,
  type Driver,
  NAVIGATION_TIMEOUT_MS,
  SNAPSHOT_TIMEOUT_MS,
  type LibraryTab,
  type Library,
} from './driver.ts';

/** Playwright's own calls behind the tools. */
class PlaywrightDriver implements Driver {
  readonly dialogs = new Dialogs();
  readonly #context: BrowserContext;
  #selected: Page | undefined;

  private constructor(context: BrowserContext) {
    this.#context = context;
    // With a listener, a dialog stays open until it is answered.
    context.on('dialog', (dialog) => {
      this.dialogs.opened(dialog.page() ?? context, dialog);
    });
    for (const page of context.pages()) this.#watch(page);
    context.on('page', (page) => {
      this.#watch(page);
    });
  }

  static async connect(cdpUrl: string): Promise<PlaywrightDriver> {
    const browser = await chromium.connectOverCDP(cdpUrl);
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('the browser has no default context');
    return new PlaywrightDriver(context);
  }

  async tabs(): Promise<readonly LibraryTab[]> {
    const pages = this.#context.pages();
    const current = pages.length === 0 ? null : this.#page();
    return pages.map((page) => ({ url: page.url(), isCurrent: page === current }));
  }

  async selectTab(index: number): Promise<void> {
    this.#selected = this.#context.pages()[index];
    await this.#page().bringToFront();
  }

  async navigate(url: string, signal: AbortSignal): Promise<void> {
    await this.#page().goto(url, { timeout: NAVIGATION_TIMEOUT_MS, signal });
  }

  async back(signal: AbortSignal): Promise<void> {
    const page = this.#page();
    const urlBefore = page.url();
    const response = await page.goBack({ timeout: NAVIGATION_TIMEOUT_MS, signal });
    if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
  }

  snapshot(signal: AbortSignal): Promise<string> {
    return this.#page().ariaSnapshot({ mode: 'ai', timeout: SNAPSHOT_TIMEOUT_MS, signal });
  }

  click(selector: string, signal: AbortSignal): Promise<void> {
    return this.#element(selector).click({ timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  fill(selector: string, text: string, signal: AbortSignal): Promise<void> {
    return this.#element(selector).fill(text, { timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  async select(selector: string, option: string, signal: AbortSignal): Promise<void> {
    await this.#element(selector).selectOption(option, { timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  press(key: string): Promise<void> {
    return this.#page().keyboard.press(key);
  }

  async shows(text: string): Promise<boolean> {
    const counts = this.#page()
      .frames()
      .map((frame) =>
        frame
          .getByText(text)
          .filter({ visible: true })
          .count()
          // A frame may go while it is looked at.
          .catch(() => 0),
      );
    return (await Promise.all(counts)).some((count) => count > 0);
  }

  answerDialog(accept: boolean, text: string | undefined): Promise<void> {
    return this.dialogs.answer(accept, text);
  }

  #page(): Page {
    const pages = this.#context.pages();
    const page = pages.find((each) => each === this.#selected) ?? pages[0];
    if (page === undefined) throw new Error('no tab is open any more');
    return page;
  }

  #element(selector: string): Locator {
    return this.#page().locator(selector);
  }

  #watch(page: Page): void {
    page.on('close', () => {
      this.dialogs.tabClosed(page);
    });
  }
}

export const playwrightLibrary: Library = {
  connect: (cdpUrl) => PlaywrightDriver.connect(cdpUrl),
  words: {
    snapshot:
      "Look at the current tab: Playwright's aria snapshot of it and its frames, with a reference for every element.",
    selector:
      'Playwright selector of exactly one element: aria-ref=e5 (a reference of the latest snapshot, also inside a frame), role=button[name="Send"], text=Send, or CSS',
    option: 'Text or value of the option',
    newTab: 'A tab that a page opens stays in the background.',
    dialog: 'You are told when one opens.',
  },
};
