import { Stagehand } from '@browserbasehq/stagehand';
import { z } from 'zod';
import { within } from '../../process/deadline.ts';
import { Dialogs } from '../page/dialogs.ts';
import {
  LIBRARY_TIMEOUT_MS,
  type Driver,
  type Pointing,
  NAVIGATION_TIMEOUT_MS,
  SNAPSHOT_TIMEOUT_MS,
  type Library,
} from './driver.ts';
import { stagehandText } from './snapshot-texts.ts';

type Page = NonNullable<ReturnType<Stagehand['context']['activePage']>>;
type Element = ReturnType<Page['deepLocator']>;

const Version = z.looseObject({ webSocketDebuggerUrl: z.string() });
const ID = /^\d+-\d+$/;

class StagehandDriver implements Driver {
  /** Stagehand reports none. */
  readonly dialogs = new Dialogs();
  readonly #stagehand: Stagehand;
  #xpaths: Readonly<Record<string, string>> = {};

  private constructor(stagehand: Stagehand) {
    this.#stagehand = stagehand;
  }

  static async connect(cdpUrl: string): Promise<StagehandDriver> {
    // Stagehand takes only the address of the browser's socket.
    const described = await (await fetch(`${cdpUrl}/json/version`)).json();
    const stagehand = new Stagehand({
      env: 'LOCAL',
      localBrowserLaunchOptions: { cdpUrl: Version.parse(described).webSocketDebuggerUrl },
      verbose: 0,
      disablePino: true,
      disableAPI: true,
      logger: () => {},
    });
    await stagehand.init();
    return new StagehandDriver(stagehand);
  }

  async tabs() {
    const { context } = this.#stagehand;
    const current = context.activePage();
    return context.pages().map((page) => ({ url: page.url(), isCurrent: page === current }));
  }

  async selectTab(index: number): Promise<void> {
    const page = this.#stagehand.context.pages()[index];
    if (page !== undefined) this.#stagehand.context.setActivePage(page);
  }

  async navigate(url: string): Promise<void> {
    await this.#page().goto(url, { waitUntil: 'load', timeoutMs: NAVIGATION_TIMEOUT_MS });
  }

  async back(): Promise<void> {
    const page = this.#page();
    const urlBefore = page.url();
    const response = await page.goBack({ waitUntil: 'load', timeoutMs: NAVIGATION_TIMEOUT_MS });
    if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
  }

  async snapshot(): Promise<string> {
    const { formattedTree, xpathMap } = await inTime(SNAPSHOT_TIMEOUT_MS, this.#page().snapshot());
    this.#xpaths = xpathMap;
    return formattedTree;
  }

  click(selector: string): Promise<void> {
    return inTime(LIBRARY_TIMEOUT_MS, this.#element(selector).click());
  }

  point(how: Pointing, selector: string): Promise<void> {
    const element = this.#element(selector);
    const options = how === 'right_click' ? ({ button: 'right' } as const) : { clickCount: 2 };
    return inTime(LIBRARY_TIMEOUT_MS, how === 'hover' ? element.hover() : element.click(options));
  }

  async drag(selector: string, to: string): Promise<void> {
    const [from, onto] = [this.#element(selector), this.#element(to)];
    const dragging = async (): Promise<void> => {
      const [start, end] = [await from.centroid(), await onto.centroid()];
      await this.#page().dragAndDrop(start.x, start.y, end.x, end.y, { steps: 20 });
    };
    await inTime(LIBRARY_TIMEOUT_MS, dragging());
  }

  fill(selector: string, text: string): Promise<void> {
    return inTime(LIBRARY_TIMEOUT_MS, this.#element(selector).fill(text));
  }

  async select(selector: string, option: string): Promise<void> {
    const chosen = await inTime(LIBRARY_TIMEOUT_MS, this.#element(selector).selectOption(option));
    if (chosen.length === 0) throw new Error(`no option has the text or value "${option}"`);
  }

  /** Stagehand has no call for file choosers: only file fields take files. */
  upload(selector: string, paths: readonly string[]): Promise<void> {
    return inTime(LIBRARY_TIMEOUT_MS, this.#element(selector).setInputFiles([...paths]));
  }

  async clickAt(x: number, y: number): Promise<void> {
    await inTime(LIBRARY_TIMEOUT_MS, this.#page().click(x, y));
  }

  press(key: string): Promise<void> {
    return inTime(LIBRARY_TIMEOUT_MS, this.#page().keyPress(key));
  }

  /** In its snapshots, since it has no selector for text. */
  async shows(text: string): Promise<boolean> {
    return stagehandText(await this.snapshot()).includes(text);
  }

  /** By the browser's protocol, since it has no call for dialogs. */
  async answerDialog(accept: boolean, text: string | undefined): Promise<void> {
    const promptText = text === undefined ? {} : { promptText: text };
    await this.#page().sendCDP('Page.handleJavaScriptDialog', { accept, ...promptText });
  }

  #page(): Page {
    const page = this.#stagehand.context.activePage();
    if (page === undefined) throw new Error('no tab is open any more');
    return page;
  }

  #element(selector: string): Element {
    if (!ID.test(selector)) return this.#page().deepLocator(selector);
    const xpath = this.#xpaths[selector];
    if (xpath === undefined) throw new Error(`the latest snapshot shows no element ${selector}; look with "snapshot"`);
    return this.#page().deepLocator(`xpath=${xpath}`);
  }
}

/** Stagehand's calls on elements have no time limit. */
async function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const answered = await within(limitMs, () => work);
  if (answered.finished) return answered.value;
  throw new Error(`the page did not answer within ${limitMs} ms; perhaps a dialog is open`);
}

export const stagehandLibrary: Library = {
  connect: (cdpUrl) => StagehandDriver.connect(cdpUrl),
  words: {
    snapshot: "Look at the current tab: Stagehand's snapshot of it and its frames, with an id for every element.",
    selector:
      'Id of the element in the latest snapshot, for example 0-41; or an XPath (xpath=/html/body/a), or CSS, with >> into a frame',
    upload: 'Give files to a file field.',
    option: 'Text or value of the option',
    newTab: 'A tab that a page opens becomes the current one.',
    dialog: 'Stagehand does not tell when one opens; the page then answers nothing else.',
  },
};
