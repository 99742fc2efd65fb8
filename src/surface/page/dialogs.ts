import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A dialog as both Playwright and Puppeteer hand it over. */
export interface PageDialog {
  type(): string;
  message(): string;
  defaultValue(): string;
  accept(text?: string): Promise<void>;
  dismiss(): Promise<void>;
}

/** The open dialogs of all tabs, one a tab at most. They stay open until they are answered. */
export class Dialogs<Tab extends object = object> {
  readonly #open = new Map<Tab, PageDialog>();
  readonly #events = new EventEmitter();

  opened(tab: Tab, dialog: PageDialog): void {
    this.#open.set(tab, dialog);
    this.#events.emit('opened');
  }

  tabClosed(tab: Tab): void {
    this.#open.delete(tab);
  }

  of(tab: Tab): PageDialog | null {
    return this.#open.get(tab) ?? null;
  }

  /** The tabs with a dialog, the first to open one first. */
  get tabs(): Tab[] {
    return [...this.#open.keys()];
  }

  describe(tab: Tab): string {
    const dialog = this.of(tab);
    if (dialog === null) return 'the dialog has been closed';
    const filledIn = dialog.defaultValue() === '' ? '' : ` (filled in: ${dialog.defaultValue()})`;
    return `${dialog.type()} dialog: ${dialog.message()}${filledIn}`;
  }

  async answer(tab: Tab, accept: boolean, text: string | undefined): Promise<void> {
    const dialog = this.of(tab);
    if (dialog === null) throw new Error('no dialog is open');
    this.#open.delete(tab);
    // As for a user, the text that the page has filled in stays unless it is replaced.
    const entered = text ?? (dialog.type() === 'prompt' ? dialog.defaultValue() : undefined);
    await (accept ? dialog.accept(entered) : dialog.dismiss());
  }

  /**
   * Waits for work until a dialog opens in any tab, for it may hold up the others. Returns null if one does.
   * @throws Error when neither happens within the limit
   */
  async before<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
    const stop = new AbortController();
    const { signal } = stop;
    const opened = once(this.#events, 'opened', { signal }).then(() => null);
    const tooLate = sleep(limitMs, undefined, { signal }).then(() => {
      throw new Error(`the page did not answer within ${limitMs} ms`);
    });
    // Each may fail when nothing waits for it any more.
    for (const waiting of [work, opened, tooLate]) waiting.catch(() => {});
    try {
      return await Promise.race([work, opened, tooLate]);
    } finally {
      stop.abort();
    }
  }
}
