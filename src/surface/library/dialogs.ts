import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A dialog as both Playwright and Puppeteer hand it over. */
interface LibraryDialog {
  type(): string;
  message(): string;
  defaultValue(): string;
  accept(text?: string): Promise<void>;
  dismiss(): Promise<void>;
}

/** The dialogs that are open, in whatever tab. They stay open until they are answered. */
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
    // Nobody may be waiting any more when it fails.
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
