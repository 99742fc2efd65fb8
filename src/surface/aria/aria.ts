import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { ContextSeat, ContextSurface, SurfaceSession } from '../surface.ts';
import { untilAborted } from '../until-aborted.ts';
import { type Action, ACTION_TIMEOUT_MS, actionOf } from './actions.ts';
import { bindAria } from './bind.ts';
import { Tabs } from './tabs.ts';
import { ARIA_TOOLS, type AriaTool, ariaToolDefinitions, isAriaTool } from './tools.ts';

/** How often `wait` looks again, in ms. */
const WAIT_INTERVAL_MS = 50;
/** Built in: the page as its accessibility tree, every element with a reference; actions name a reference. */
export const aria = ariaSurface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function ariaSurface(timeoutMs: number): ContextSurface {
  return {
    id: 'aria',
    needs: 'context',
    takesScript: false,
    version: `playwright-core ${playwrightVersion()}`,
    interaction: 'multi-turn',
    unavailable: null,
    open: async (seat) => new AriaSession(seat, await Tabs.open(seat), timeoutMs),
  };
}

class AriaSession implements SurfaceSession {
  readonly tools = ariaToolDefinitions();
  readonly bind = bindAria;
  readonly #tabs: Tabs;
  readonly #seat: ContextSeat;
  readonly #timeoutMs: number;
  /** The action that a dialog holds up: it goes on when the dialog is answered. */
  #heldUp: Promise<unknown> = Promise.resolve();

  constructor(seat: ContextSeat, tabs: Tabs, timeoutMs: number) {
    this.#seat = seat;
    this.#tabs = tabs;
    this.#timeoutMs = timeoutMs;
  }

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    if (!isAriaTool(tool))
      return failure(`there is no tool "${tool}"; the tools are ${Object.keys(ARIA_TOOLS).join(', ')}`);
    const problem = problemWith(tool, args);
    if (problem !== null) return failure(problem);
    if (this.#tabs.all.length === 0) return failure('no tab is open any more: the page has closed the last one');
    if (this.#tabs.dialog !== null && tool !== 'dialog' && tool !== 'tabs') {
      return failure(`a dialog is open, answer it first with "dialog": ${this.#describeDialog()}`);
    }
    try {
      return await untilAborted(signal, this.#run(tool, args, signal));
    } catch (error) {
      return failure(reasonOf(error));
    } finally {
      await this.#tellJudge();
    }
  }

  close(): Promise<void> {
    return this.#tabs.close();
  }

  async #run(tool: AriaTool, args: unknown, signal: AbortSignal): Promise<ToolReply> {
    if (tool === 'tabs') return await this.#changeTab(ARIA_TOOLS.tabs.args.parse(args), signal);
    if (tool === 'dialog') return await this.#answerDialog(ARIA_TOOLS.dialog.args.parse(args), signal);
    if (tool === 'wait') {
      await this.#waitForText(ARIA_TOOLS.wait.args.parse(args).text, signal);
    } else {
      const action = actionOf(tool, args);
      if ('refused' in action) return failure(action.refused);
      await this.#act(action.run, signal);
    }
    return await this.#look(signal, tool === 'navigate' || tool === 'back' ? 'load' : 'domcontentloaded');
  }

  async #changeTab({ action, index }: z.infer<typeof ARIA_TOOLS.tabs.args>, signal: AbortSignal): Promise<ToolReply> {
    const page = this.#tabs.all[index];
    if (page === undefined) return failure(`there is no tab ${index}; ${this.#describeTabs()}`);
    if (action === 'close') {
      if (this.#tabs.all.length === 1) return failure(`tab ${index} is the last one and stays open`);
      await page.close();
    } else {
      this.#tabs.select(page);
      await page.bringToFront();
    }
    return await this.#look(signal);
  }

  async #answerDialog(
    { action, text }: z.infer<typeof ARIA_TOOLS.dialog.args>,
    signal: AbortSignal,
  ): Promise<ToolReply> {
    const dialog = this.#tabs.dialog;
    if (dialog === null) return failure('no dialog is open');
    if (text !== undefined && dialog.type() !== 'prompt') {
      return failure(`this ${dialog.type()} dialog asks for no text; answer it without "text"`);
    }
    const answering = this.#tabs.answerDialog(dialog, action === 'accept', text);
    await this.#untilDialog(Promise.all([answering, this.#heldUp]));
    return await this.#look(signal);
  }

  /** Runs an action until it ends or a dialog opens: what opens a dialog does not end before the dialog is answered. */
  async #act(action: Action, signal: AbortSignal): Promise<void> {
    const acting = action(this.#tabs.current, { timeout: this.#timeoutMs, signal });
    // What an action that was held up comes to is seen by looking.
    this.#heldUp = acting.catch(() => {});
    await this.#untilDialog(acting);
  }

  /** Waits for work, but not beyond the opening of a dialog, and not for ever. Null when it was not waited for. */
  async #untilDialog<T>(work: Promise<T>): Promise<T | null> {
    // Nobody may be waiting any more when it fails.
    work.catch(() => {});
    const stop = new AbortController();
    try {
      const opened = this.#tabs.dialogOpens(stop.signal).then(() => null);
      // What can time out by itself has done so by then.
      const limit = 2 * this.#timeoutMs;
      const tooLate = sleep(limit, undefined, { signal: stop.signal }).then(() => {
        throw new Error(`the page did not answer within ${limit} ms`);
      });
      tooLate.catch(() => {});
      return await Promise.race([work, opened, tooLate]);
    } finally {
      stop.abort();
    }
  }

  /** Looks again and again at whatever tab is in front, for the text may come in a frame or tab that is not there yet. */
  async #waitForText(text: string, signal: AbortSignal): Promise<void> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    while (performance.now() < giveUpAt && !signal.aborted) {
      if (this.#tabs.dialog !== null) return;
      if ((await this.#untilDialog(isVisible(this.#tabs.current, text))) === true) return;
      await sleep(WAIT_INTERVAL_MS);
    }
    throw new Error(`the text "${text}" did not become visible within ${this.#timeoutMs} ms`);
  }

  /** What the agent sees: the snapshot of the current tab, or the dialog that hides it. */
  async #look(signal: AbortSignal, loaded: 'load' | 'domcontentloaded' = 'domcontentloaded'): Promise<ToolReply> {
    const text = this.#tabs.dialog === null ? await this.#untilDialog(this.#snapshot(signal, loaded)) : null;
    return text === null
      ? { ok: true, kind: 'dialog', text: this.#describeDialog() }
      : { ok: true, kind: 'snapshot', text };
  }

  async #snapshot(signal: AbortSignal, loaded: 'load' | 'domcontentloaded'): Promise<string> {
    await this.#tabs.arrived(AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]));
    const page = this.#tabs.current;
    const timing = { timeout: this.#timeoutMs, signal };
    // A page that is slow to load is shown as far as it has come.
    await page.waitForLoadState(loaded, timing).catch(() => {});
    const tree = await page.ariaSnapshot({ mode: 'ai', ...timing });
    return `Page: ${page.url()}\n${this.#describeTabs()}\n\n${tree}`;
  }

  async #tellJudge(): Promise<void> {
    const targetId = await this.#tabs.currentTargetId();
    if (targetId !== null) this.#seat.touch(targetId);
  }

  #describeTabs(): string {
    const tabs = this.#tabs.all.map((page, index) => {
      const marks = [
        ...(page === this.#tabs.current ? ['current'] : []),
        ...(this.#tabs.hasDialog(page) ? ['a dialog is open'] : []),
      ];
      return `${index}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}: ${page.url()}`;
    });
    return `Tabs: ${tabs.join(', ')}`;
  }

  #describeDialog(): string {
    const dialog = this.#tabs.dialog;
    if (dialog === null) return 'the dialog has been closed';
    const filledIn = dialog.defaultValue() === '' ? '' : ` (filled in: ${dialog.defaultValue()})`;
    return `${dialog.type()} dialog: ${dialog.message()}${filledIn}`;
  }
}

async function isVisible(page: Page, text: string): Promise<boolean> {
  const seen = await Promise.all(
    page.frames().map((frame) =>
      frame
        .getByText(text)
        .filter({ visible: true })
        .count()
        // A frame may go while it is looked at.
        .catch(() => 0),
    ),
  );
  return seen.some((count) => count > 0);
}

/** What is wrong with a call's arguments, for the agent to mend; null when nothing is. */
function problemWith(tool: AriaTool, args: unknown): string | null {
  const parsed = ARIA_TOOLS[tool].args.safeParse(args);
  return parsed.success ? null : `the arguments of "${tool}" are not right: ${z.prettifyError(parsed.error)}`;
}

function failure(text: string): ToolReply {
  return { ok: false, kind: 'error', text };
}

/** The message without Playwright's call log, which tells of our own machinery, but with what it says of the element. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = message, log = ''] = message.split('\nCall log:');
  const why = /<.*> (?:from <.*> )?intercepts pointer events|element is not \w+|did not find some options/.exec(
    log,
  )?.[0];
  const text = first.trim().replace(/^(?:\w+\.)?\w+: /, '');
  return why === undefined ? text : `${text} (${why})`;
}

function playwrightVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('playwright-core/package.json');
  return manifest.version;
}
