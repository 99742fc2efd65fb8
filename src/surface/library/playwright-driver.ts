import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { isVisible } from '../page/stage.ts';
import { giveFiles } from '../page/tools.ts';
import {
  LIBRARY_TIMEOUT_MS,
  type Driver,
  type Pointing,
  NAVIGATION_TIMEOUT_MS,
  SNAPSHOT_TIMEOUT_MS,
  type Library,
  TabbedDriver,
} from './driver.ts';

class PlaywrightDriver extends TabbedDriver<Page> implements Driver {
  private constructor(context: BrowserContext) {
    super(() => context.pages());
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

  async back(signal: AbortSignal): Promise<void> {
    const page = await this.current();
    const urlBefore = page.url();
    const response = await page.goBack({ timeout: NAVIGATION_TIMEOUT_MS, signal });
    if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
  }

  async snapshot(signal: AbortSignal): Promise<string> {
    return await (await this.current()).ariaSnapshot({ mode: 'ai', timeout: SNAPSHOT_TIMEOUT_MS, signal });
  }

  async click(selector: string, signal: AbortSignal): Promise<void> {
    await (await this.#element(selector)).click({ timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  async point(how: Pointing, selector: string, signal: AbortSignal): Promise<void> {
    const element = await this.#element(selector);
    const timing = { timeout: LIBRARY_TIMEOUT_MS, signal };
    if (how === 'hover') await element.hover(timing);
    else if (how === 'double_click') await element.dblclick(timing);
    else await element.click({ ...timing, button: 'right' });
  }

  async drag(selector: string, to: string, signal: AbortSignal): Promise<void> {
    await (await this.#element(selector)).dragTo(await this.#element(to), { timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  async fill(selector: string, text: string, signal: AbortSignal): Promise<void> {
    await (await this.#element(selector)).fill(text, { timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  async select(selector: string, option: string, signal: AbortSignal): Promise<void> {
    await (await this.#element(selector)).selectOption(option, { timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  async upload(selector: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
    await giveFiles(await this.#element(selector), [...paths], { timeout: LIBRARY_TIMEOUT_MS, signal });
  }

  async press(key: string): Promise<void> {
    await (await this.current()).keyboard.press(key);
  }

  async shows(text: string): Promise<boolean> {
    return await isVisible(await this.current(), text);
  }

  async #element(selector: string): Promise<Locator> {
    return (await this.current()).locator(selector);
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
    upload: 'Give files to a file field, to its label, or to what opens the file chooser.',
    option: 'Text or value of the option',
    newTab: 'A tab that a page opens stays in the background.',
    dialog: 'You are told when one opens.',
  },
};
