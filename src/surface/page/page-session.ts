import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { Bind } from '../../task/intent.ts';
import type { Sight } from '../../task/sight.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import type { ContextSeat, SurfaceSession } from '../surface.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Act, Timing } from './act.ts';
import { Aim, inventedIn, sightOfError } from './aim.ts';
import { reasonOf } from './playwright-words.ts';
import { Tabs } from './tabs.ts';
import { PAGE_TOOLS, toolDefinitions } from './tools.ts';
import type { Shown, View } from './view.ts';
import { isVisible } from './visible-text.ts';

/** How often `wait` looks again, in ms. */
const WAIT_INTERVAL_MS = 50;

type Reply = Omit<ToolReply, 'target'>;

/** A surface of ours at work on the tabs of one episode; the view says how tabs are shown and what else can be done there. */
export class PageSession<S extends Shown> implements SurfaceSession {
  readonly tools: readonly ToolDefinition[];
  readonly #view: View<S>;
  readonly #tabs: Tabs;
  readonly #seat: ContextSeat;
  readonly #timeoutMs: number;
  /** The action that a dialog holds up: it goes on when the dialog is answered. */
  #heldUp: Promise<unknown> = Promise.resolve();
  /** What the agent has been shown last, and how many tabs it was told of. */
  #shown: S | null = null;
  #tabsShown = 0;
  /** Whether that was the last thing; it was not where a dialog hides the tab. */
  #isInSight = false;

  private constructor(view: View<S>, seat: ContextSeat, tabs: Tabs, timeoutMs: number) {
    this.#view = view;
    this.#seat = seat;
    this.#tabs = tabs;
    this.#timeoutMs = timeoutMs;
    this.tools = toolDefinitions(view.tools);
  }

  /** @param timeoutMs how long one action of the browser may take, in ms */
  static async open<S extends Shown>(view: View<S>, seat: ContextSeat, timeoutMs: number): Promise<PageSession<S>> {
    return new PageSession(view, seat, await Tabs.open(seat), timeoutMs);
  }

  readonly bind: Bind = (intent, last) =>
    this.#view.bind(intent, last, { shown: this.#shown, page: this.#tabs.current });

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const aim = new Aim();
    const reply = await this.#reply(tool, args, signal, aim);
    return { ...reply, target: aim.report };
  }

  sight(): Sight | null {
    const shown = this.#isInSight ? this.#shown : null;
    return shown === null ? null : (this.#view.sight?.(shown) ?? null);
  }

  close(): Promise<void> {
    return this.#tabs.close();
  }

  async #reply(tool: string, args: unknown, signal: AbortSignal, aim: Aim): Promise<Reply> {
    const { tools } = this.#view;
    const spec = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    if (spec === undefined) {
      aim.invented(['tool']);
      return failure(`there is no tool "${tool}"; the tools are ${Object.keys(tools).join(', ')}`);
    }
    const parsed = spec.args.safeParse(args);
    if (!parsed.success) {
      aim.invented(inventedIn(parsed.error));
      return failure(`the arguments of "${tool}" are not right: ${z.prettifyError(parsed.error)}`);
    }
    if (this.#tabs.all.length === 0) return failure('no tab is open any more: the page has closed the last one');
    try {
      return await untilAborted(signal, this.#run(tool, args, signal, aim));
    } catch (error) {
      const message = reasonOf(error);
      if (message.startsWith('Unknown key')) aim.invented(['key']);
      return failure(message);
    } finally {
      await this.#tellJudge();
    }
  }

  async #run(tool: string, args: unknown, signal: AbortSignal, aim: Aim): Promise<Reply> {
    if (tool === 'tabs') return await this.#changeTab(PAGE_TOOLS.tabs.args.parse(args), signal, aim);
    if (tool === 'dialog') return await this.#answerDialog(PAGE_TOOLS.dialog.args.parse(args), signal);
    const isBehindDialog = this.#tabs.dialog !== null;
    if (tool === 'wait' && !isBehindDialog) {
      await this.#waitForText(PAGE_TOOLS.wait.args.parse(args).text, signal);
    } else if (tool !== 'wait') {
      const act = this.#view.act(tool, args);
      if ('refused' in act) return failure(act.refused);
      this.#aim(act, aim, isBehindDialog);
      if (!isBehindDialog) await this.#act(act, signal, aim);
    }
    if (isBehindDialog) return failure(`a dialog is open, answer it first with "dialog": ${this.#describeDialog()}`);
    return await this.#look(signal, tool === 'navigate' || tool === 'back' ? 'load' : 'domcontentloaded');
  }

  #aim(act: Exclude<Act, { refused: string }>, aim: Aim, isBehindDialog: boolean): void {
    const { elements } = this.#view;
    if (act.on === 'point') aim.untold('a place in a picture names nothing');
    if (act.on !== 'element' || elements === null) return;
    aim.at(elements.sighting(act.name, this.#shown), isBehindDialog ? { actionable: false } : {});
  }

  async #changeTab({ action, index }: z.infer<typeof PAGE_TOOLS.tabs.args>, signal: AbortSignal, aim: Aim) {
    const page = this.#tabs.all[index];
    const wasShown = index < this.#tabsShown;
    aim.at({ shown: wasShown, matched_then: wasShown ? 1 : 0 }, { matched_now: page === undefined ? 0 : 1 });
    if (page === undefined) return failure(`there is no tab ${index}; ${this.#describeTabs()}`);
    const isLast = action === 'close' && this.#tabs.all.length === 1;
    aim.learn({ actionable: !isLast, dispatched: !isLast });
    if (isLast) return failure(`tab ${index} is the last one and stays open`);
    if (action === 'close') {
      await page.close();
    } else {
      this.#tabs.select(page);
      await page.bringToFront();
    }
    return await this.#look(signal);
  }

  async #answerDialog({ action, text }: z.infer<typeof PAGE_TOOLS.dialog.args>, signal: AbortSignal): Promise<Reply> {
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
  async #act(act: Exclude<Act, { refused: string }>, signal: AbortSignal, aim: Aim): Promise<void> {
    const page = this.#tabs.current;
    const timing = { timeout: this.#timeoutMs, signal };
    const acting = act.on === 'element' ? this.#actOn(act, page, timing, aim) : act.run(page, timing);
    // What an action that was held up comes to is seen by looking.
    this.#heldUp = acting.catch(() => {});
    await this.#untilDialog(acting);
  }

  async #actOn({ name, run }: Extract<Act, { on: 'element' }>, page: Page, timing: Timing, aim: Aim): Promise<void> {
    const { elements } = this.#view;
    if (elements === null) throw new Error('this surface names no elements');
    const found = await elements.find(page, name, elements.sighting(name, this.#shown), timing);
    if ('why' in found) {
      aim.learn({ matched_now: found.count });
      throw new Error(found.why);
    }
    // As it stands when a dialog cuts the action short: it has been sent by then.
    aim.learn({ matched_now: 1, dispatched: true });
    try {
      await run(found.element, timing);
      aim.learn({ actionable: true });
    } catch (error) {
      aim.learn({ dispatched: false, ...sightOfError(error) });
      throw error;
    }
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

  /** What the agent sees: the current tab, or the dialog that hides it. */
  async #look(signal: AbortSignal, loaded: 'load' | 'domcontentloaded' = 'domcontentloaded'): Promise<Reply> {
    const shown = this.#tabs.dialog === null ? await this.#untilDialog(this.#show(signal, loaded)) : null;
    this.#isInSight = shown !== null;
    if (shown === null) return { ok: true, kind: 'dialog', text: this.#describeDialog() };
    this.#shown = shown;
    this.#tabsShown = this.#tabs.all.length;
    const text = `Page: ${this.#tabs.current.url()}\n${this.#describeTabs()}\n\n${shown.text}`;
    const { image } = shown;
    return { ok: true, kind: this.#view.kind, text, ...(image === undefined ? {} : { image }) };
  }

  async #show(signal: AbortSignal, loaded: 'load' | 'domcontentloaded'): Promise<S> {
    await this.#tabs.arrived(AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]));
    const page = this.#tabs.current;
    const timing = { timeout: this.#timeoutMs, signal };
    // A page that is slow to load is shown as far as it has come.
    await page.waitForLoadState(loaded, timing).catch(() => {});
    return await this.#view.show(page, timing);
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

function failure(text: string): Reply {
  return { ok: false, kind: 'error', text };
}
