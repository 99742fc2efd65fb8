import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { refusedAddress } from '../../browser/url-policy.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { Surface, SurfaceSeat, SurfaceSession } from '../surface.ts';
import { bindAria } from './bind.ts';
import { Tabs } from './tabs.ts';
import { ARIA_TOOLS, type ArgsOf, type AriaTool, ariaToolDefinitions, isAriaTool } from './tools.ts';

/** How long one action of the browser may take, in ms. */
const ACTION_TIMEOUT_MS = 5_000;
/** How often `wait` looks again, in ms. */
const WAIT_INTERVAL_MS = 50;

/** Built in: the page as its accessibility tree, every element with a reference; actions name a reference. */
export const aria: Surface = {
  id: 'aria',
  version: `playwright-core ${playwrightVersion()}`,
  interaction: 'multi-turn',
  open: (seat) => Promise.resolve(new AriaSession(seat)),
};

type Action = (page: Page, timing: { timeout: number; signal: AbortSignal }) => Promise<unknown>;

class AriaSession implements SurfaceSession {
  readonly tools = ariaToolDefinitions();
  readonly bind = bindAria;
  readonly #tabs: Tabs;
  readonly #seat: SurfaceSeat;

  constructor(seat: SurfaceSeat) {
    this.#seat = seat;
    this.#tabs = new Tabs(seat.context, seat.page);
  }

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    if (!isAriaTool(tool)) return failure(`there is no tool "${tool}"; the tools are ${Object.keys(ARIA_TOOLS).join(', ')}`);
    const problem = problemWith(tool, args);
    if (problem !== null) return failure(problem);
    if (this.#tabs.dialog !== null && tool !== 'dialog' && tool !== 'tabs') {
      return failure(`a dialog is open, answer it first with "dialog": ${this.#describeDialog()}`);
    }
    try {
      return await this.#run(tool, args, signal);
    } catch (error) {
      return failure(firstLines(error));
    } finally {
      const targetId = await this.#tabs.currentTargetId();
      if (targetId !== null) this.#seat.touch(targetId);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #run(tool: AriaTool, args: unknown, signal: AbortSignal): Promise<ToolReply> {
    if (tool === 'tabs') {
      const { action, index } = ARIA_TOOLS.tabs.args.parse(args);
      if (!this.#tabs.select(index)) return failure(`there is no tab ${index}; ${this.#describeTabs()}`);
      if (action === 'close') await this.#tabs.current.close();
      else await this.#tabs.current.bringToFront();
      return await this.#look(signal);
    }
    if (tool === 'dialog') {
      const dialog = this.#tabs.dialog;
      if (dialog === null) return failure('no dialog is open');
      const { action, text } = ARIA_TOOLS.dialog.args.parse(args);
      await this.#tabs.answerDialog(dialog, action === 'accept', text);
      return await this.#look(signal);
    }
    if (tool === 'wait') {
      await this.#waitForText(ARIA_TOOLS.wait.args.parse(args).text, signal);
      return await this.#look(signal);
    }
    const action = actionOf(tool, args);
    if ('refused' in action) return failure(action.refused);
    await this.#act(action.run, signal);
    return await this.#look(signal);
  }

  /** Runs an action until it ends or a dialog opens: what opens a dialog does not end before the dialog is answered. */
  async #act(action: Action, signal: AbortSignal): Promise<void> {
    const page = this.#tabs.current;
    const dialogOpens = this.#tabs.dialogOpens();
    const acting = action(page, { timeout: ACTION_TIMEOUT_MS, signal });
    acting.catch(() => {});
    await Promise.race([acting, dialogOpens]);
  }

  /** Looks again and again at whatever tab is in front, for the text may come in a frame or tab that is not there yet. */
  async #waitForText(text: string, signal: AbortSignal): Promise<void> {
    const giveUpAt = performance.now() + ACTION_TIMEOUT_MS;
    while (performance.now() < giveUpAt && !signal.aborted) {
      if (this.#tabs.dialog !== null) return;
      const isVisible = await Promise.all(
        this.#tabs.current.frames().map((frame) => frame.getByText(text).first().isVisible().catch(() => false)),
      );
      if (isVisible.includes(true)) return;
      await sleep(WAIT_INTERVAL_MS);
    }
    throw new Error(`the text "${text}" did not become visible within ${ACTION_TIMEOUT_MS} ms`);
  }

  /** What the agent sees: the snapshot of the current tab, or the dialog that hides it. */
  async #look(signal: AbortSignal): Promise<ToolReply> {
    if (this.#tabs.dialog !== null) return { ok: true, kind: 'dialog', text: this.#describeDialog() };
    const page = this.#tabs.current;
    const looking = this.#snapshot(page, signal);
    looking.catch(() => {});
    const opened = this.#tabs.dialogOpens().then(() => null);
    const text = await Promise.race([looking, opened]);
    return text === null ? { ok: true, kind: 'dialog', text: this.#describeDialog() } : { ok: true, kind: 'snapshot', text };
  }

  async #snapshot(page: Page, signal: AbortSignal): Promise<string> {
    await page.waitForLoadState('domcontentloaded', { timeout: ACTION_TIMEOUT_MS });
    const tree = await page.ariaSnapshot({ mode: 'ai', timeout: ACTION_TIMEOUT_MS, signal });
    return `Page: ${page.url()}\n${this.#describeTabs()}\n\n${tree}`;
  }

  #describeTabs(): string {
    const tabs = this.#tabs.all.map((page, index) => `${index}${page === this.#tabs.current ? ' (current)' : ''}: ${page.url()}`);
    return `Tabs: ${tabs.join(', ')}`;
  }

  #describeDialog(): string {
    const dialog = this.#tabs.dialog;
    return dialog === null ? 'the dialog has been closed' : `${dialog.type()} dialog: ${dialog.message()}`;
  }
}

/** The browser's action behind a tool. */
function actionOf(tool: Exclude<AriaTool, 'tabs' | 'dialog' | 'wait'>, args: unknown): { run: Action } | { refused: string } {
  switch (tool) {
    case 'navigate': {
      const { url } = ARIA_TOOLS.navigate.args.parse(args);
      const refused = refusedAddress(url);
      return refused === null ? { run: (page, timing) => page.goto(url, timing) } : { refused };
    }
    case 'back':
      return { run: (page, timing) => page.goBack(timing) };
    case 'snapshot':
      return { run: () => Promise.resolve() };
    case 'click':
      return onElement(ARIA_TOOLS.click.args.parse(args), (element, timing) => element.click(timing));
    case 'fill': {
      const { ref, text } = ARIA_TOOLS.fill.args.parse(args);
      return onElement({ ref }, (element, timing) => element.fill(text, timing));
    }
    case 'select': {
      const { ref, option } = ARIA_TOOLS.select.args.parse(args);
      return onElement({ ref }, (element, timing) => element.selectOption({ label: option }, timing));
    }
    case 'press': {
      const { key } = ARIA_TOOLS.press.args.parse(args);
      return { run: (page) => page.keyboard.press(key) };
    }
    case 'scroll':
      return scrolling(ARIA_TOOLS.scroll.args.parse(args));
  }
}

type Timing = Parameters<Action>[1];
type Element = ReturnType<Page['locator']>;

function onElement({ ref }: { ref: string }, act: (element: Element, timing: Timing) => Promise<unknown>): { run: Action } | { refused: string } {
  if (!/^(f\d+)?e\d+$/.test(ref)) return { refused: `"${ref}" is not a reference; take one from the latest snapshot, for example "e5"` };
  return { run: (page, timing) => act(page.locator(`aria-ref=${ref}`), timing) };
}

function scrolling({ direction, pixels }: ArgsOf<'scroll'>): { run: Action } {
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  const isVertical = direction === 'down' || direction === 'up';
  return { run: (page) => page.mouse.wheel(isVertical ? 0 : sign * pixels, isVertical ? sign * pixels : 0) };
}

/** What is wrong with a call's arguments, for the agent to mend; null when nothing is. */
function problemWith(tool: AriaTool, args: unknown): string | null {
  const parsed = ARIA_TOOLS[tool].args.safeParse(args);
  return parsed.success ? null : `the arguments of "${tool}" are not right: ${z.prettifyError(parsed.error)}`;
}

function failure(text: string): ToolReply {
  return { ok: false, kind: 'error', text };
}

/** The message without Playwright's call log, which tells of our own machinery. */
function firstLines(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\nCall log:')[0]?.trim() ?? message;
}

function playwrightVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('playwright-core/package.json');
  return manifest.version;
}
