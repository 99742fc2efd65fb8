import { setTimeout as sleep } from 'node:timers/promises';
import { Dialogs } from '../page/dialogs.ts';

/** Time limits, in ms: for an action on an element or the wait for a text, for an address, and for a snapshot. */
export const LIBRARY_TIMEOUT_MS = 5_000;
export const NAVIGATION_TIMEOUT_MS = 15_000;
export const SNAPSHOT_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 50;

interface LibraryTab {
  url: string;
  isCurrent: boolean;
}

/** Acts of the mouse on an element, besides a click. */
export type Pointing = 'hover' | 'double_click' | 'right_click';

/** A library at work on one browser: its own calls behind the tools that all libraries share. Agents see the errors that it throws. */
export interface Driver {
  readonly dialogs: Dialogs;
  tabs(): Promise<readonly LibraryTab[]>;
  selectTab(index: number): Promise<void>;
  navigate(url: string, signal: AbortSignal): Promise<void>;
  back(signal: AbortSignal): Promise<void>;
  /** @param all also what the library leaves out by default */
  snapshot(signal: AbortSignal, all: boolean): Promise<string>;
  click(selector: string, signal: AbortSignal): Promise<void>;
  point(how: Pointing, selector: string, signal: AbortSignal): Promise<void>;
  drag(selector: string, to: string, signal: AbortSignal): Promise<void>;
  fill(selector: string, text: string, signal: AbortSignal): Promise<void>;
  select(selector: string, option: string, signal: AbortSignal): Promise<void>;
  /** @param paths of files that the task gives */
  upload(selector: string, paths: readonly string[], signal: AbortSignal): Promise<void>;
  clickAt(x: number, y: number): Promise<void>;
  press(key: string): Promise<void>;
  shows(text: string): Promise<boolean>;
  /** For a library that reports no dialogs. */
  answerDialog?(accept: boolean, text: string | undefined): Promise<void>;
}

/** The calls that Playwright and Puppeteer share. */
interface SharedCalls {
  mouse: { click(x: number, y: number): Promise<void> };
  url(): string;
  bringToFront(): Promise<void>;
  goto(url: string, options: { timeout: number; signal: AbortSignal }): Promise<unknown>;
}

/** The tabs of a library, and its navigation. */
export abstract class TabbedDriver<Page extends SharedCalls> {
  readonly dialogs = new Dialogs();
  readonly #pages: () => Page[] | Promise<Page[]>;
  #selected: Page | undefined;

  protected constructor(pages: () => Page[] | Promise<Page[]>) {
    this.#pages = pages;
  }

  protected async current(): Promise<Page> {
    const pages = await this.#pages();
    const page = pages.find((each) => each === this.#selected) ?? pages[0];
    if (page === undefined) throw new Error('no tab is open any more');
    return page;
  }

  async tabs(): Promise<readonly LibraryTab[]> {
    const pages = await this.#pages();
    const current = pages.length === 0 ? null : await this.current();
    return pages.map((page) => ({ url: page.url(), isCurrent: page === current }));
  }

  async selectTab(index: number): Promise<void> {
    this.#selected = (await this.#pages())[index];
    await (await this.current()).bringToFront();
  }

  async navigate(url: string, signal: AbortSignal): Promise<void> {
    await (await this.current()).goto(url, { timeout: NAVIGATION_TIMEOUT_MS, signal });
  }

  async clickAt(x: number, y: number): Promise<void> {
    await (await this.current()).mouse.click(x, y);
  }
}

export interface Library {
  words: ToolWords;
  connect: (cdpUrl: string) => Promise<Driver>;
}

/** The words on tools that differ from library to library. */
export interface ToolWords {
  /** Describes what `snapshot` shows. */
  snapshot: string;
  /** Describes what `snapshot` shows on request; absent if it always shows all. */
  all?: string;
  /** Which selectors there are, and how they come from a snapshot. */
  selector: string;
  /** Names what `option` is compared with. */
  option: string;
  /** Describes what takes files, and how it is named if not as in a snapshot. */
  upload: string;
  /** Describes the handling of a tab that a page opens. */
  newTab: string;
  /** Describes how the agent learns of a dialog. */
  dialog: string;
}

export async function pollUntil(isMet: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const giveUpAt = performance.now() + LIBRARY_TIMEOUT_MS;
  for (;;) {
    if (await isMet()) return true;
    if (signal.aborted || performance.now() >= giveUpAt) return false;
    await sleep(POLL_INTERVAL_MS);
  }
}
