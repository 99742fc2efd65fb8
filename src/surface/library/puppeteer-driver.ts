import puppeteer, {
  type BrowserContext,
  type ElementHandle,
  type Frame,
  type KeyInput,
  type Page,
} from 'puppeteer-core';
import { z } from 'zod';
import {
  LIBRARY_TIMEOUT_MS,
  type Driver,
  type Pointing,
  NAVIGATION_TIMEOUT_MS,
  type Library,
  TabbedDriver,
  pollUntil,
} from './driver.ts';
import { isInvalidSelector, snapshotText } from './snapshot-texts.ts';

/** Puppeteer itself refuses the keys that it does not know. */
const Key = z.custom<KeyInput>((key) => typeof key === 'string');

class PuppeteerDriver extends TabbedDriver<Page> implements Driver {
  private constructor(context: BrowserContext) {
    super(() => context.pages());
    context.on('targetcreated', (target) => {
      void target.page().then(
        (page) => this.#watch(page),
        // It has closed already.
        () => {},
      );
    });
  }

  static async connect(cdpUrl: string): Promise<PuppeteerDriver> {
    // The default viewport would resize the pages.
    const browser = await puppeteer.connect({ browserURL: cdpUrl, defaultViewport: null });
    const context = browser.defaultBrowserContext();
    const driver = new PuppeteerDriver(context);
    for (const page of await context.pages()) driver.#watch(page);
    return driver;
  }

  async back(signal: AbortSignal): Promise<void> {
    const page = await this.current();
    await page.goBack({ timeout: NAVIGATION_TIMEOUT_MS, signal });
  }

  async snapshot(_signal: AbortSignal, all: boolean): Promise<string> {
    const root = await (await this.current()).accessibility.snapshot({ includeIframes: true, interestingOnly: !all });
    if (root === null) throw new Error('the page has no accessibility tree');
    return snapshotText(root);
  }

  async click(selector: string, signal: AbortSignal): Promise<void> {
    const frame = await this.#frameWith(selector, signal);
    await frame.locator(selector).setTimeout(LIBRARY_TIMEOUT_MS).click({ signal });
  }

  async point(how: Pointing, selector: string, signal: AbortSignal): Promise<void> {
    const frame = await this.#frameWith(selector, signal);
    const element = frame.locator(selector).setTimeout(LIBRARY_TIMEOUT_MS);
    if (how === 'hover') await element.hover({ signal });
    else await element.click({ signal, ...(how === 'right_click' ? { button: 'right' } : { count: 2 }) });
  }

  async drag(selector: string, to: string, signal: AbortSignal): Promise<void> {
    const [from, onto] = await Promise.all([selector, to].map((each) => this.#handle(each, signal)));
    if (from !== undefined && onto !== undefined) await onto.drop(from);
  }

  async #handle(selector: string, signal: AbortSignal): Promise<ElementHandle> {
    const frame = await this.#frameWith(selector, signal);
    return await frame.locator(selector).setTimeout(LIBRARY_TIMEOUT_MS).waitHandle({ signal });
  }

  async fill(selector: string, text: string, signal: AbortSignal): Promise<void> {
    const frame = await this.#frameWith(selector, signal);
    await frame.locator(selector).setTimeout(LIBRARY_TIMEOUT_MS).fill(text, { signal });
  }

  async select(selector: string, option: string, signal: AbortSignal): Promise<void> {
    const frame = await this.#frameWith(selector, signal);
    const chosen = await frame.select(selector, option);
    if (chosen.length === 0) throw new Error(`no option has the value "${option}"; now none is chosen`);
  }

  /** Fills a file field, and clicks anything else, which has to open a file chooser. */
  async upload(selector: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
    const element = await this.#handle(selector, signal);
    const isField = await element.evaluate((own) => own.matches('input[type=file i]'));
    if (isField) return await (await element.toElement('input')).uploadFile(...paths);
    const page = await this.current();
    const [chooser] = await Promise.all([
      page.waitForFileChooser({ timeout: LIBRARY_TIMEOUT_MS, signal }),
      this.click(selector, signal),
    ]);
    await chooser.accept([...paths]);
  }

  /** Puppeteer presses one key; modifiers are pressed and released one by one. */
  async press(keys: string): Promise<void> {
    const { keyboard } = await this.current();
    const held = keys.split(/(?<=.)\+/).map((key) => Key.parse(key));
    const last = held.pop() ?? Key.parse(keys);
    for (const key of held) await keyboard.down(key);
    await keyboard.press(last);
    for (const key of held.toReversed()) await keyboard.up(key);
  }

  async shows(text: string): Promise<boolean> {
    const page = await this.current();
    const seen = await Promise.all(page.frames().map((frame) => showsIn(frame, text)));
    return seen.includes(true);
  }

  /** A selector of Puppeteer does not reach into frames, so each frame is asked. */
  async #frameWith(selector: string, signal: AbortSignal): Promise<Frame> {
    const page = await this.current();
    let found: Frame | undefined;
    const isFound = async (): Promise<boolean> => {
      for (const frame of page.frames()) {
        if (await has(frame, selector)) found = frame;
        if (found !== undefined) return true;
      }
      return false;
    };
    if ((await pollUntil(isFound, signal)) && found !== undefined) return found;
    throw new Error(
      `nothing matches ${selector} in any frame of the tab within ${LIBRARY_TIMEOUT_MS} ms; look with "snapshot"`,
    );
  }

  #watch(page: Page | null): void {
    if (page === null) return;
    page.on('dialog', (dialog) => {
      this.dialogs.opened(page, dialog);
    });
    page.on('close', () => {
      this.dialogs.tabClosed(page);
    });
  }
}

async function has(frame: Frame, selector: string): Promise<boolean> {
  const found = await matches(frame, selector);
  await disposeAll(found);
  return found.length > 0;
}

async function showsIn(frame: Frame, text: string): Promise<boolean> {
  const found = await matches(frame, `text/${text}`);
  const visible = await Promise.all(found.map((element) => element.isVisible().catch(() => false)));
  await disposeAll(found);
  return visible.includes(true);
}

/** Returns what matches now: nothing if the frame has gone. */
async function matches(frame: Frame, selector: string): Promise<ElementHandle[]> {
  try {
    return await frame.$$(selector);
  } catch (error) {
    if (isInvalidSelector(error)) throw error;
    return [];
  }
}

async function disposeAll(handles: readonly ElementHandle[]): Promise<void> {
  await Promise.all(handles.map((handle) => handle.dispose().catch(() => {})));
}

export const puppeteerLibrary: Library = {
  connect: (cdpUrl) => PuppeteerDriver.connect(cdpUrl),
  words: {
    snapshot:
      "Look at the current tab: Puppeteer's accessibility snapshot of it and its frames, role and name of every element.",
    selector:
      'Puppeteer selector of the element: aria/Send[role="button"] (name and role as in a snapshot), text/Send, or CSS, also >>> through shadow roots; the first match counts, in the main frame, else in the other frames in their order',
    all: 'Also what Puppeteer does not call interesting, such as lists and the options of a list box',
    upload:
      'Give files to a file field, to its label, or to what opens the file chooser. Puppeteer finds a file field by name and value: aria/Photo: No file chosen.',
    option: 'The value attribute of the option; its text, if it has none',
    newTab: 'A tab that a page opens stays in the background.',
    dialog: 'You are told when one opens.',
  },
};
