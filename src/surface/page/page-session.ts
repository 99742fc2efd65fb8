import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { Bind } from '../../task/intent.ts';
import { EARLIER_VIEWS } from '../../task/target.ts';
import { failedReply, type ToolCall, type ToolDefinition, type ToolReply } from '../../task/tool.ts';
import type { ContextSeat, SurfaceSession } from '../surface.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Act, Timing } from './act.ts';
import { Aim, inventedArguments, sightOfError } from './aim.ts';
import { reasonOf } from './playwright-words.ts';
import { Stage } from './stage.ts';
import { PAGE_TOOLS, toolDefinitions } from './tools.ts';
import type { Shown, View } from './view.ts';

type Reply = Omit<ToolReply, 'target'>;

/** A surface of ours at work on the tabs of one episode; the view says how tabs are shown and what else can be done there. */
export class PageSession<S extends Shown> implements SurfaceSession {
  readonly tools: readonly ToolDefinition[];
  readonly #view: View<S>;
  readonly #stage: Stage;
  /** The last text that the agent was shown, and those before it; and the number of tabs that it was told of. */
  #shown: S | null = null;
  #earlier: readonly S[] = [];
  #tabsShown = 0;

  private constructor(view: View<S>, stage: Stage) {
    this.#view = view;
    this.#stage = stage;
    this.tools = toolDefinitions(view.tools);
  }

  /** @param timeoutMs how long one action of the browser may take, in ms */
  static async open<S extends Shown>(view: View<S>, seat: ContextSeat, timeoutMs: number): Promise<PageSession<S>> {
    return new PageSession(view, await Stage.open(seat, timeoutMs));
  }

  readonly bind: Bind = (intent, last) => this.#view.bind(intent, last, { shown: this.#shown, page: this.#stage.page });

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const aim = new Aim();
    const reply = await this.#reply(tool, args, signal, aim);
    return { ...reply, target: aim.report };
  }

  close(): Promise<void> {
    return this.#stage.close();
  }

  async #reply(tool: string, args: unknown, signal: AbortSignal, aim: Aim): Promise<Reply> {
    const { tools } = this.#view;
    const spec = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    if (spec === undefined) {
      aim.invented(['tool']);
      return failedReply(`there is no tool "${tool}"; the tools are ${Object.keys(tools).join(', ')}`);
    }
    const parsed = spec.args.safeParse(args);
    if (!parsed.success) {
      aim.invented(inventedArguments(parsed.error));
      return failedReply(`the arguments of "${tool}" are not right: ${z.prettifyError(parsed.error)}`);
    }
    try {
      return await untilAborted(signal, this.#run(tool, args, signal, aim));
    } catch (error) {
      const message = reasonOf(error);
      if (message.startsWith('Unknown key')) aim.invented(['key']);
      return failedReply(message);
    } finally {
      await this.#stage.tellJudge();
    }
  }

  async #run(tool: string, args: unknown, signal: AbortSignal, aim: Aim): Promise<Reply> {
    const stage = this.#stage;
    const inTheWay = await stage.prepareFor(tool);
    if (inTheWay !== null) return failedReply(inTheWay);
    if (tool === 'tabs') return await this.#changeTab(PAGE_TOOLS.tabs.args.parse(args), signal, aim);
    if (tool === 'dialog') {
      const problem = await stage.answerDialog(PAGE_TOOLS.dialog.args.parse(args));
      return problem === null ? await this.#look(signal) : failedReply(problem);
    }
    const isBehindDialog = stage.hasDialog;
    if (tool === 'wait' && !isBehindDialog) {
      await stage.waitForText(PAGE_TOOLS.wait.args.parse(args).text, signal);
    } else if (tool !== 'wait') {
      const act = this.#view.act(tool, args);
      if ('refused' in act) return failedReply(act.refused);
      this.#aim(act, aim, isBehindDialog);
      if (!isBehindDialog) {
        await stage.act(
          (page, timing) => (act.on === 'element' ? this.#actOn(act, page, timing, aim) : act.run(page, timing)),
          signal,
        );
      }
    }
    if (isBehindDialog)
      return failedReply(`a dialog is open, answer it first with "dialog": ${stage.describeDialog()}`);
    return await this.#look(signal, tool === 'navigate' || tool === 'back' ? 'load' : 'domcontentloaded');
  }

  #aim(act: Exclude<Act, { refused: string }>, aim: Aim, isBehindDialog: boolean): void {
    const { elements } = this.#view;
    if (act.on === 'point') aim.untold('a place in a picture names nothing');
    if (act.on !== 'element' || elements === null) return;
    const wasShown = this.#earlier.some((shown) => elements.sighting(act.name, shown).shown);
    const known = { shown_before: wasShown, ...(isBehindDialog ? { actionable: false } : {}) };
    aim.at(elements.sighting(act.name, this.#shown), known);
  }

  async #changeTab(args: z.infer<typeof PAGE_TOOLS.tabs.args>, signal: AbortSignal, aim: Aim): Promise<Reply> {
    const wasShown = args.index < this.#tabsShown;
    const isThere = args.index < this.#stage.tabCount;
    aim.at({ shown: wasShown, matched_then: wasShown ? 1 : 0 }, { matched_now: isThere ? 1 : 0 });
    const problem = await this.#stage.changeTab(args);
    if (isThere) aim.learn({ actionable: problem === null, dispatched: problem === null });
    return problem === null ? await this.#look(signal) : failedReply(problem);
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

  /** Returns what the agent sees: the current tab, or the dialog that hides it. */
  async #look(signal: AbortSignal, loaded: 'load' | 'domcontentloaded' = 'domcontentloaded'): Promise<Reply> {
    const stage = this.#stage;
    const shown = stage.hasDialog ? null : await stage.untilDialog(this.#show(signal, loaded));
    if (shown === null) return { ok: true, kind: 'dialog', text: stage.describeDialog() };
    if (this.#shown !== null) this.#earlier = [this.#shown, ...this.#earlier].slice(0, EARLIER_VIEWS);
    this.#shown = shown;
    this.#tabsShown = stage.tabCount;
    const text = `Page: ${stage.page.url()}\n${stage.describeTabs()}\n\n${shown.text}`;
    const { image } = shown;
    return { ok: true, kind: this.#view.kind, text, ...(image === undefined ? {} : { image }) };
  }

  async #show(signal: AbortSignal, loaded: 'load' | 'domcontentloaded'): Promise<S> {
    await this.#stage.arrived(signal, loaded);
    return await this.#view.show(this.#stage.page, this.#stage.timing(signal));
  }
}
