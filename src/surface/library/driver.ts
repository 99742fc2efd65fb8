import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitter, once } from 'node:events';

/** Longest that one action on an element may take, in ms, and longest that a text is waited for. */
export const LIBRARY_TIMEOUT_MS = 5_000;
/** Longest that the opening of an address may take, in ms. */
export const NAVIGATION_TIMEOUT_MS = 15_000;
/** Longest that a snapshot may take, in ms. */
export const SNAPSHOT_TIMEOUT_MS = 10_000;
/** Time between looks for what is waited for, in ms. */
export const POLL_INTERVAL_MS = 50;

/** A tab as agents see it; they count from 0 in the order of opening. */
export interface LibraryTab {
  url: string;
  /** The tools work on this one. */
  isCurrent: boolean;
}

/**
 * A library at work on one browser: its own calls behind the tools that all libraries share. It throws what it cannot do,
 * and the agent sees the message.
 */
export interface Driver {
  /** Those that the library has reported. */
  readonly dialogs: Dialogs;
  tabs(): Promise<readonly LibraryTab[]>;
  selectTab(index: number): Promise<void>;
  navigate(url: string, signal: AbortSignal): Promise<void>;
  back(signal: AbortSignal): Promise<void>;
  /** The current tab as text. */
  snapshot(signal: AbortSignal): Promise<string>;
  click(selector: string, signal: AbortSignal): Promise<void>;
  fill(selector: string, text: string, signal: AbortSignal): Promise<void>;
  select(selector: string, option: string, signal: AbortSignal): Promise<void>;
  press(key: string): Promise<void>;
  /** Whether the current tab shows a text now. */
  shows(text: string): Promise<boolean>;
  answerDialog(accept: boolean, text: string | undefined): Promise<void>;
}

/** A library that can be put to work on the browser behind a CDP address. */
export interface Library {
  words: Wording;
  connect: (cdpUrl: string) => Promise<Driver>;
}

/** The words on tools that differ from library to library. */
export interface Wording {
  /** Describes what `snapshot` shows. */
  snapshot: string;
  /** Which selectors there are, and how they come from a snapshot. */
  selector: string;
  /** Names what `option` is compared with. */
  option: string;
  /** Describes what becomes of a tab that a page opens. */
  newTab: string;
  /** Describes how the agent learns of a dialog. */
  dialog: string;
}

export async function describeTabs(driver: Driver): Promise<string> {
  const tabs = (await driver.tabs()).map(
    ({ url, isCurrent }, index) => `${index}${isCurrent ? ' (current)' : ''}: ${url}`,
  );
  return `Tabs: ${tabs.join(', ')}`;
}

/** Asks again and again whether something is so, for as long as an action may take. */
export async function comesTrue(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const giveUpAt = performance.now() + LIBRARY_TIMEOUT_MS;
  for (;;) {
    if (await isSo()) return true;
    if (signal.aborted || performance.now() >= giveUpAt) return false;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** A dialog as both Playwright and Puppeteer hand it over. */
interface LibraryDialog {
  type(): string;
  message(): string;
  defaultValue(): string;
  accept(text?: string): Promise<void>;
  dismiss(): Promise<void>;
}

/** The open dialogs of all tabs. They stay open until they are answered. */
export class Dialogs {
  readonly #open = new Map<object, LibraryDialog>();
  readonly #news = new EventEmitter();

  /** A dialog has opened in a tab; a tab has one at most. */
  opened(tab: object, dialog: LibraryDialog): void {
    this.#open.set(tab, dialog);
    this.#news.emit('opened');
  }

  /** A tab has closed, and its dialog with it. */
  tabClosed(tab: object): void {
    this.#open.delete(tab);
  }

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** In words, for the agent. */
  describe(): string {
    return [...this.#open.values()]
      .map((dialog) => {
        const filledIn = dialog.defaultValue() === '' ? '' : ` (filled in: ${dialog.defaultValue()})`;
        return `${dialog.type()} dialog: ${dialog.message()}${filledIn}`;
      })
      .join('\n');
  }

  /** Answers the one that opened first. */
  async answer(accept: boolean, text: string | undefined): Promise<void> {
    const [first] = this.#open;
    if (first === undefined) throw new Error('no dialog is open');
    const [tab, dialog] = first;
    this.#open.delete(tab);
    // As for a user, what the page has filled in stays unless it is written over.
    const entered = text ?? (dialog.type() === 'prompt' ? dialog.defaultValue() : undefined);
    await (accept ? dialog.accept(entered) : dialog.dismiss());
  }

  /** Waits for work, but not beyond the opening of a dialog, which may hold it up, and not for ever. Null if it was not waited for. */
  async before<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
    // It may fail when no one waits any more.
    work.catch(() => {});
    const stop = new AbortController();
    const { signal } = stop;
    const opened = once(this.#news, 'opened', { signal }).then(() => null);
    const tooLate = sleep(limitMs, undefined, { signal }).then(() => {
      throw new Error(`the browser did not answer within ${limitMs} ms; perhaps a dialog is open`);
    });
    for (const waiting of [opened, tooLate]) waiting.catch(() => {});
    try {
      return await Promise.race([work, opened, tooLate]);
    } finally {
      stop.abort();
    }
  }
}
