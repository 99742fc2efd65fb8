import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ContextSeat } from '../surface.ts';
import { Tabs } from './tabs.ts';

/** Time limit of one action of the browser, in ms. */
export const ACTION_TIMEOUT_MS = 5_000;
/** Time limit of questions to a large page, in ms. */
const ASK_TIMEOUT_MS = 60_000;
const WAIT_INTERVAL_MS = 50;

export interface Timing {
  timeout: number;
  signal: AbortSignal;
}

/** Runs actions in the tabs of an episode, which dialogs may hold up. */
export class Stage {
  readonly #tabs: Tabs;
  readonly #seat: ContextSeat;
  readonly #timeoutMs: number;
  /** The action that a dialog holds up: it goes on when the dialog is answered. */
  #heldUp: Promise<unknown> = Promise.resolve();

  private constructor(seat: ContextSeat, tabs: Tabs, timeoutMs: number) {
    this.#seat = seat;
    this.#tabs = tabs;
    this.#timeoutMs = timeoutMs;
  }

  static async open(seat: ContextSeat, timeoutMs: number): Promise<Stage> {
    return new Stage(seat, await Tabs.open(seat), timeoutMs);
  }

  get page(): Page {
    return this.#tabs.current;
  }

  get tabCount(): number {
    return this.#tabs.all.length;
  }

  get hasDialog(): boolean {
    return this.#tabs.dialogs.of(this.page) !== null;
  }

  /** Opens a tab for "navigate", as a user would, if none is left or the one in front has crashed. Returns why any other call cannot be done. */
  async prepareFor(tool: string): Promise<string | null> {
    const isGone = this.tabCount === 0;
    if (!isGone && (!this.#tabs.hasCrashed || tool === 'tabs')) return null;
    if (tool !== 'navigate') {
      const problem = isGone ? 'no tab is open any more' : 'the page has crashed';
      return `${problem}; "navigate" opens another tab`;
    }
    await this.#tabs.renew();
    return null;
  }

  timing(signal: AbortSignal): Timing {
    return { timeout: this.#timeoutMs, signal };
  }

  close(): Promise<void> {
    return this.#tabs.close();
  }

  /** Runs an action until it ends, or a dialog holds it up: null then. */
  async act<T>(action: (page: Page, timing: Timing) => Promise<T>, signal: AbortSignal): Promise<T | null> {
    const acting = action(this.#tabs.current, this.timing(signal));
    // A later look shows its result.
    this.#heldUp = acting.catch(() => {});
    return await this.untilDialog(acting);
  }

  /** Waits for work until a dialog opens: null then. After twice the time of an action, all work with a time limit has ended. */
  untilDialog<T>(work: Promise<T>): Promise<T | null> {
    return this.#tabs.dialogs.before(work, 2 * this.#timeoutMs);
  }

  /** Waits for work that asks the page, which answers nothing while a dialog is open: null then. */
  async unlessDialog<T>(work: Promise<T>): Promise<T | null> {
    const { dialogs } = this.#tabs;
    return this.hasDialog ? await Promise.race([work, setImmediate(null)]) : await dialogs.before(work, ASK_TIMEOUT_MS);
  }

  /** Returns why it is not done, or null. */
  async changeTab({ action, index }: { action: 'select' | 'close'; index: number }): Promise<string | null> {
    const page = this.#tabs.all[index];
    if (page === undefined) return `there is no tab ${index}; ${this.describeTabs()}`;
    if (action === 'close') {
      if (this.tabCount === 1) return `tab ${index} is the last one and stays open`;
      await page.close();
    } else {
      this.#tabs.select(page);
      await page.bringToFront();
    }
    return null;
  }

  /** Answers the open dialog, and waits for the action that it held up. Returns why it is not done, or null. */
  async answerDialog({
    action,
    text,
  }: {
    action: 'accept' | 'dismiss';
    text?: string | undefined;
  }): Promise<string | null> {
    const { dialogs, current } = this.#tabs;
    const type = dialogs.of(current)?.type();
    if (type === undefined) return 'no dialog is open';
    if (text !== undefined && type !== 'prompt') {
      return `this ${type} dialog asks for no text; answer it without "text"`;
    }
    await this.untilDialog(Promise.all([dialogs.answer(current, action === 'accept', text), this.#heldUp]));
    return null;
  }

  /** Polls the tab in front, since the text may appear in a new frame or tab. @throws Error when it does not become visible */
  async waitForText(text: string, signal: AbortSignal): Promise<void> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    while (performance.now() < giveUpAt && !signal.aborted) {
      if (this.hasDialog) return;
      if ((await this.untilDialog(isVisible(this.page, text))) === true) return;
      await sleep(WAIT_INTERVAL_MS);
    }
    throw new Error(`the text "${text}" did not become visible within ${this.#timeoutMs} ms`);
  }

  /** Waits until every new tab is here and the one in front has reached the load state, or for the time of an action. */
  async arrived(signal: AbortSignal, loaded: 'load' | 'domcontentloaded'): Promise<void> {
    await this.#tabs.arrived(AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]));
    await this.page.waitForLoadState(loaded, this.timing(signal)).catch(() => {});
  }

  async reportTab(): Promise<void> {
    if (this.tabCount === 0) return;
    const targetId = await this.#tabs.currentTargetId();
    if (targetId !== null) this.#seat.touch(targetId);
  }

  describeTabs(): string {
    const tabs = this.#tabs.all.map((page, index) => {
      const marks = [
        ...(page === this.#tabs.current ? ['current'] : []),
        ...(this.#tabs.dialogs.of(page) !== null ? ['a dialog is open'] : []),
      ];
      return `${index}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}: ${page.url()}`;
    });
    return `Tabs: ${tabs.join(', ')}`;
  }

  describeDialog(): string {
    return this.#tabs.dialogs.describe(this.page);
  }
}

/** Whether a tab shows a text now, in any of its frames. */
export async function isVisible(page: Page, text: string): Promise<boolean> {
  const seen = await Promise.all(
    page.frames().map((frame) =>
      frame
        .getByText(text)
        .filter({ visible: true })
        .count()
        // The frame may have gone.
        .catch(() => 0),
    ),
  );
  return seen.some((count) => count > 0);
}
