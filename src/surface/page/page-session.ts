import type { Bind, SurfaceIntent } from '../../task/intent.ts';
import type { GivenFile } from '../../task/given-files.ts';
import { EARLIER_VIEWS } from '../../task/target.ts';
import { failedReply, type ToolCall, type ToolDefinition, type ToolReply } from '../../task/tool.ts';
import type { ContextSeat, ContextSurface, SurfaceSession } from '../surface.ts';
import { untilAborted } from '../until-aborted.ts';
import { isUnknownKey, playwrightVersion, reasonOf } from './playwright-errors.ts';
import { ACTION_TIMEOUT_MS, Stage } from './stage.ts';
import { CallTarget, type Act, type LoadState, type Outcome, type Shown, type Turn, type View } from './view.ts';
import { readCall, toolDefinitions } from './tools.ts';

/** Most attempts to show a page that navigates to another. */
const MAX_SHOWN = 10;

/**
 * A surface of ours that shows pages. The result makes it, with the time that one action of the browser may take, in ms.
 * @param openView makes the view of one episode, for the files that its task gives
 */
export function pageSurface<S extends Shown>(
  own: Required<Pick<ContextSurface, 'id' | 'differences'>> & Pick<ContextSurface, 'showsPictures'>,
  openView: (files: readonly GivenFile[]) => View<S>,
): (timeoutMs?: number) => ContextSurface {
  return (timeoutMs = ACTION_TIMEOUT_MS) => ({
    ...own,
    lacksSteps: [...(own.showsPictures === true ? [] : ['click_at']), ...Object.keys(own.differences.lacks)],
    needs: 'context',
    takesScript: false,
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: (seat) => PageSession.open(openView(seat.files ?? []), seat, timeoutMs),
  });
}

/** A surface at work on the tabs of one episode: calls, targets and replies; the view has the rest. */
class PageSession<S extends Shown> implements SurfaceSession {
  readonly #view: View<S>;
  readonly #stage: Stage;
  /** The tab that the agent was shown last, those before it, and the number of tabs that were listed to it. */
  #shown: S | null = null;
  #earlier: readonly S[] = [];
  #tabsShown = 0;
  #listed: { of: View<S>['tools']; tools: readonly ToolDefinition[] } | null = null;

  private constructor(view: View<S>, stage: Stage) {
    this.#view = view;
    this.#stage = stage;
  }

  static async open<S extends Shown>(view: View<S>, seat: ContextSeat, timeoutMs: number): Promise<PageSession<S>> {
    return new PageSession(view, await Stage.open(seat, timeoutMs));
  }

  get tools(): readonly ToolDefinition[] {
    const { tools: of } = this.#view;
    if (this.#listed?.of !== of) this.#listed = { of, tools: toolDefinitions(of) };
    return this.#listed.tools;
  }

  get runtimeVersion(): string | null {
    return this.#view.runtimeVersion ?? null;
  }

  readonly bind: Bind = async (intent, last) => {
    const bind = async (step: SurfaceIntent) =>
      this.#view.bind(step, last, { shown: this.#shown, page: this.#stage.page });
    const binding = await this.#stage.unlessDialog(bind(intent));
    if (binding !== null) return binding;
    const look = await bind({ do: 'read' });
    return look.kind === 'call' ? { kind: 'observe', call: look.call } : look;
  };

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const target = new CallTarget();
    const reply = await this.#reply(call, signal, target);
    return { ...reply, target: target.report };
  }

  close(): Promise<void> {
    return this.#stage.close();
  }

  async #reply(call: ToolCall, signal: AbortSignal, target: CallTarget): Promise<ToolReply> {
    const read = readCall(this.#view.tools, call, target);
    if ('problem' in read) return failedReply(read.problem);
    const turn: Turn<S> = {
      stage: this.#stage,
      signal,
      target,
      shown: this.#shown,
      earlier: this.#earlier,
      tabsShown: this.#tabsShown,
      see: () => this.#see(signal),
    };
    try {
      return await untilAborted(signal, this.#run(call.tool, read.act, turn));
    } catch (error) {
      const message = reasonOf(error);
      if (isUnknownKey(message)) target.invented(['key']);
      return failedReply(message);
    } finally {
      await this.#stage.reportTab();
    }
  }

  async #run(tool: string, act: Act<S>, turn: Turn<S>): Promise<ToolReply> {
    const { stage, target, signal } = turn;
    const inTheWay = await stage.prepareFor(tool);
    if (inTheWay !== null) return failedReply(inTheWay);
    act.locate?.(turn);
    if (stage.hasDialog && act.despiteDialog !== true) {
      target.learn({ actionable: false });
      return failedReply(`a dialog is open, answer it first with "dialog": ${stage.describeDialog()}`);
    }
    const outcome = await act.run(turn);
    return 'problem' in outcome ? failedReply(outcome.problem) : await this.#look(outcome, signal);
  }

  /** Shows the agent the current tab, or the dialog that hides it. */
  async #look(done: Exclude<Outcome<S>, { problem: string }>, signal: AbortSignal): Promise<ToolReply> {
    const stage = this.#stage;
    const shown = stage.hasDialog ? null : await this.#see(signal, done.loaded);
    if (shown === null) return { ok: true, kind: 'dialog', text: stage.describeDialog() };
    if (this.#shown !== null) this.#earlier = [this.#shown, ...this.#earlier].slice(0, EARLIER_VIEWS);
    this.#shown = shown;
    this.#tabsShown = stage.tabCount;
    const { result, isLook = false } = done;
    const head = [...(result === undefined ? [] : [result]), `Page: ${stage.page.url()}`, stage.describeTabs()];
    const text = `${head.join('\n')}\n\n${shown.text}`;
    if (shown.isNotice === true) return isLook ? failedReply(text) : { ok: true, kind: 'text', text };
    const undone = done.whyUndone?.(shown) ?? null;
    if (undone !== null) return failedReply(undone);
    const { image } = shown;
    return { ok: true, kind: this.#view.kind, text, ...(image === undefined ? {} : { image }) };
  }

  /** Null when a dialog has opened meanwhile. */
  #see(signal: AbortSignal, loaded: LoadState = 'domcontentloaded'): Promise<S | null> {
    return this.#stage.untilDialog(this.#show(signal, this.#view.loaded ?? loaded));
  }

  async #show(signal: AbortSignal, loaded: LoadState): Promise<S> {
    const stage = this.#stage;
    for (let times = 1; ; times += 1) {
      await stage.arrived(signal, loaded);
      try {
        return await this.#view.show(stage.page, stage.timing(signal));
      } catch (error) {
        if (this.#view.isLeft?.(error) !== true || times === MAX_SHOWN || signal.aborted) throw error;
      }
    }
  }
}
