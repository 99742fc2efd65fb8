import type { Page } from 'playwright-core';
import { z } from 'zod';
import { EARLIER_VIEWS, type TargetSight } from '../../task/target.ts';
import { failedReply, type ToolCall, type ToolDefinition, type ToolReply } from '../../task/tool.ts';
import { DIFFERENCES } from './differs.ts';
import type { ContextSurface, SurfaceSession } from '../surface.ts';
import { untilAborted } from '../until-aborted.ts';
import { ACTION_TIMEOUT_MS, actOfTab } from '../page/act.ts';
import { optionsText } from '../page/choose-option.ts';
import { playwrightVersion, withoutLog } from '../page/playwright-words.ts';
import { bindNac3 } from './bind.ts';
import { boxValueOf, isBox, isBoxChecked } from './box.ts';
import { nacCallOf } from './calls.ts';
import { callNac, MAX_OUTCOME_LENGTH, type NacCall, NacOutcome } from './in-page.ts';
import { type PageView, seeing } from './page-view.ts';
import { ledTo } from './led-to.ts';
import { nativeOptions } from './native-options.ts';
import { blockOf } from './reach.ts';
import { type NacAim, aimOf, whyUnsafe, optionOf, targetName } from './safety.ts';
import { inOneLine, shownText } from './shown-text.ts';
import type { NacShown, ShownElement } from './shown.ts';
import { tableAimOf, tableBlock, tableCallOf, tableProblem } from './table-aim.ts';
import { isTableTool, type TableAction, tableActionOf } from './table-tools.ts';
import { Stage } from '../page/stage.ts';
import { isNac3Tool, type NacAction, NAC3_TOOLS, type Nac3Tool, nac3ToolDefinitions, nacActionOf } from './tools.ts';

/** Number of times that a page which goes on to another is asked what it is. */
const MAX_ASKED = 10;
/** A runtime's reasons to refuse an action whose target was found and could not be acted on. */
const BLOCKED = new Set(['disabled', 'hidden', 'inert', 'aria_busy', 'readonly']);

/** Built in: the page as its own NAC3 runtime describes it; actions name what it describes, and its runtime carries them out. */
export const nac3 = nac3Surface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function nac3Surface(timeoutMs: number): ContextSurface {
  return {
    id: 'nac3',
    needs: 'context',
    takesScript: false,
    differences: DIFFERENCES,
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: async (seat) => new Nac3Session(await Stage.open(seat, timeoutMs), timeoutMs),
  };
}

/** The target of a call, as far as the call got; null where it has none so far. */
interface Reached {
  target: TargetSight | null;
}

class Nac3Session implements SurfaceSession {
  readonly bind = bindNac3;
  readonly #stage: Stage;
  readonly #timeoutMs: number;
  /** The last description that the agent was shown; null before it was shown anything. */
  #shown: NacShown | null = null;
  /** Those that it was shown before, the last first. */
  #earlier: readonly NacShown[] = [];
  /** Number of tabs that the agent was told of last. */
  #tabsShown = 0;
  #tools = nac3ToolDefinitions([]);
  /** The calls on tables that the runtime of the page has. */
  #tableCalls: readonly string[] = [];
  #runtimeVersion: string | null = null;

  constructor(stage: Stage, timeoutMs: number) {
    this.#stage = stage;
    this.#timeoutMs = timeoutMs;
  }

  /** Those for tables are there where the runtime of the page that was shown last has them. */
  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  /** As the page's runtime called itself last; null when no page had one. */
  get runtimeVersion(): string | null {
    return this.#runtimeVersion;
  }

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const reached: Reached = { target: null };
    const reply = await this.#answer(tool, args, signal, reached);
    return { ...reply, target: reached.target };
  }

  close(): Promise<void> {
    return this.#stage.close();
  }

  async #answer(tool: string, args: unknown, signal: AbortSignal, reached: Reached): Promise<ToolReply> {
    if (!isNac3Tool(tool) || (isTableTool(tool) && !this.#tableCalls.includes(tool))) {
      reached.target = { ...UNSEEN, invented: ['tool'] };
      return failedReply(`there is no tool "${tool}"; the tools are ${this.#tools.map(({ name }) => name).join(', ')}`);
    }
    const parsed = NAC3_TOOLS[tool].args.safeParse(args);
    if (!parsed.success) {
      const invented = inventedIn(parsed.error);
      if (invented.length > 0) reached.target = { ...UNSEEN, invented };
      return failedReply(`the arguments of "${tool}" are not right: ${z.prettifyError(parsed.error)}`);
    }
    try {
      return await untilAborted(signal, this.#run(tool, parsed.data, signal, reached));
    } catch (error) {
      return failedReply(withoutLog(error));
    } finally {
      await this.#stage.tellJudge();
    }
  }

  async #run(tool: Nac3Tool, args: object, signal: AbortSignal, reached: Reached): Promise<ToolReply> {
    const stage = this.#stage;
    const inTheWay = await stage.prepareFor(tool);
    if (inTheWay !== null) return failedReply(inTheWay);
    if (isTableTool(tool) && !stage.hasDialog)
      return await this.#actOnTable(tableActionOf(tool, args), signal, reached);
    const action = nacActionOf(tool, args);
    if (stage.hasDialog && tool !== 'dialog' && tool !== 'tabs') {
      if (action !== null) reached.target = { ...this.#sightOf(action), actionable: false };
      return failedReply(`a dialog is open, answer it first with "dialog": ${stage.describeDialog()}`);
    }
    if (action !== null) return await this.#act(action, signal, reached);
    const problem = await this.#runInTab(tool, args, signal, reached);
    return problem === null ? await this.#look(signal, [], tool === 'describe') : failedReply(problem);
  }

  /** Runs a tool of the browser's tabs; a text says why it is not done. */
  async #runInTab(tool: Nac3Tool, args: unknown, signal: AbortSignal, reached: Reached): Promise<string | null> {
    if (tool === 'tabs') return await this.#changeTab(NAC3_TOOLS.tabs.args.parse(args), reached);
    if (tool === 'dialog') return await this.#stage.answerDialog(NAC3_TOOLS.dialog.args.parse(args));
    if (tool === 'wait') await this.#stage.waitForText(NAC3_TOOLS.wait.args.parse(args).text, signal);
    if (tool !== 'navigate' && tool !== 'back' && tool !== 'press' && tool !== 'scroll') return null;
    const act = actOfTab(tool, args);
    if ('refused' in act) return act.refused;
    await this.#stage.act(act.run, signal);
    return null;
  }

  async #changeTab(args: z.infer<typeof NAC3_TOOLS.tabs.args>, reached: Reached): Promise<string | null> {
    const wasShown = args.index < this.#tabsShown;
    const isThere = args.index < this.#stage.tabCount;
    const problem = await this.#stage.changeTab(args);
    const isDone = problem === null;
    reached.target = {
      ...UNSEEN,
      shown: wasShown,
      matched_then: wasShown ? 1 : 0,
      matched_now: isThere ? 1 : 0,
      actionable: isThere ? isDone : null,
      dispatched: isDone,
    };
    return problem;
  }

  /** Has the page's runtime do it, if the agent was shown what it names, and that is there once, now as then. */
  async #act(action: NacAction, signal: AbortSignal, reached: Reached): Promise<ToolReply> {
    const before = this.#shown;
    const sight = this.#sightOf(action);
    reached.target = sight;
    const unsafe = whyUnsafe(before, action);
    const view = await this.#see(signal);
    if (view === null) return failedReply(this.#stage.describeDialog());
    if (!('shown' in view)) return failedReply(view.notice);
    const { matches, plugin } = stillThere(before, aimOf(view.shown, action), action);
    const found: TargetSight = { ...sight, matched_now: matches.length };
    reached.target = found;
    if (unsafe !== null) return failedReply(unsafe);
    const [element] = matches;
    if (element === undefined || matches.length > 1) return failedReply(goneOrSeveral(action, matches.length));
    // Hosts may be asked for what has no element of its own.
    const isAsked = element.not_in_page === true && (action.tool === 'invoke' || action.tool === 'click_by_verb');
    if (!isAsked) {
      const block = await this.#stage.act((page, timing) => blockOf(page, element, plugin, timing), signal);
      reached.target = { ...found, actionable: block === null };
      if (block !== null) return failedReply(block);
    }
    const whole = await this.#withOptions(action, element, plugin, signal);
    const unfit = unfitFor(action, whole, view.shown);
    if (unfit !== null) return failedReply(unfit);
    reached.target = { ...reached.target, dispatched: true };
    const reply = await this.#callPage(
      nacCallOf(action, { shown: view.shown, element: whole, plugin }, this.#timeoutMs),
      signal,
      reached,
    );
    return reply.ok && action.tool === 'fill' ? this.#whetherBoxIs(reply, action, element) : reply;
  }

  /** With the options of a native list that is chosen from, where its description names none. */
  async #withOptions(
    action: NacAction,
    element: ShownElement,
    plugin: string | null,
    signal: AbortSignal,
  ): Promise<ShownElement> {
    if (action.tool !== 'select' || (element.options ?? []).length > 0) return element;
    const options = await this.#stage.act((page) => nativeOptions(page, element, plugin), signal);
    return { ...element, options: options ?? [] };
  }

  /** A box that is not as it was filled, though its runtime says so, is no success. */
  #whetherBoxIs(reply: ToolReply, action: NacAction & { tool: 'fill' }, element: ShownElement): ToolReply {
    const wanted = boxValueOf(element, action.value);
    const [now] = this.#shown === null ? [] : aimOf(this.#shown, action).matches;
    if (wanted === null || now === undefined || (isBoxChecked(now) ?? wanted) === wanted) return reply;
    return failedReply(`unsupported: the runtime of this page left "${element.nac_id}" as it was; "click" it`);
  }

  /** The same with a table: it is there once, now as then, with all that the call names. */
  async #actOnTable(action: TableAction, signal: AbortSignal, reached: Reached): Promise<ToolReply> {
    const before = this.#shown;
    const then = before === null ? null : tableAimOf(before, action);
    const sight: TargetSight = {
      ...UNSEEN,
      shown: (then?.matches.length ?? 0) > 0,
      shown_before: this.#earlier.some((view) => tableAimOf(view, action).matches.length > 0),
      matched_then: then?.matches.length ?? null,
      invented: then?.invented ?? [],
    };
    reached.target = sight;
    const unsafe = tableProblem(before, action);
    const view = await this.#see(signal);
    if (view === null) return failedReply(this.#stage.describeDialog());
    if (!('shown' in view)) return failedReply(view.notice);
    const { matches } = tableAimOf(view.shown, action);
    reached.target = { ...sight, matched_now: matches.length };
    if (unsafe !== null) return failedReply(unsafe);
    const [table] = matches;
    if (table === undefined || matches.length > 1) return failedReply(tableProblem(view.shown, action) ?? GONE);
    const block = tableBlock(view.shown, table);
    reached.target = { ...reached.target, actionable: block === null };
    if (block !== null) return failedReply(block);
    reached.target = { ...reached.target, dispatched: true };
    return await this.#callPage(tableCallOf(action), signal, reached);
  }

  /** Calls the page's runtime, and shows what came of it. */
  async #callPage(call: NacCall, signal: AbortSignal, reached: Reached): Promise<ToolReply> {
    const outcome = await this.#stage.act((page) => ledTo(page, () => outcomeOf(page, call), this.#timeoutMs), signal);
    if (outcome?.kind === 'rejected' && BLOCKED.has(outcome.code) && reached.target !== null)
      reached.target = { ...reached.target, actionable: false };
    const problem = outcome === null ? null : problemOf(outcome);
    if (problem !== null) return failedReply(problem);
    return await this.#look(signal, outcome?.kind === 'done' ? [`Result: ${inOneLine(outcome.result)}`] : []);
  }

  /** Returns what is known of a target before the page is asked. */
  #sightOf(action: NacAction): TargetSight {
    if (this.#shown === null) return UNSEEN;
    const { matches, invented } = aimOf(this.#shown, action);
    const wasShown = this.#earlier.some((view) => aimOf(view, action).matches.length > 0);
    return { ...UNSEEN, shown: matches.length > 0, shown_before: wasShown, matched_then: matches.length, invented };
  }

  /** Returns what the agent sees: the page's description of itself, or the dialog that hides it. */
  async #look(signal: AbortSignal, head: string[], isAsked = false): Promise<ToolReply> {
    const view = this.#stage.hasDialog ? null : await this.#see(signal);
    if (view === null) return { ok: true, kind: 'dialog', text: this.#stage.describeDialog() };
    this.#tabsShown = this.#stage.tabCount;
    if (this.#shown !== null) this.#earlier = [this.#shown, ...this.#earlier].slice(0, EARLIER_VIEWS);
    const place = [...head, `Page: ${this.#stage.page.url()}`, this.#stage.describeTabs()];
    if ('shown' in view) {
      this.#shown = view.shown;
      return { ok: true, kind: 'snapshot', text: shownText(place, view.shown) };
    }
    this.#shown = { plugins: [] };
    const text = [...place, '', view.notice].join('\n');
    return { ok: !isAsked, kind: isAsked ? 'error' : 'text', text };
  }

  /** Null when a dialog has opened meanwhile. */
  async #see(signal: AbortSignal): Promise<PageView | null> {
    const view = await this.#stage.untilDialog(this.#arrivedAt(signal));
    if (view !== null && 'shown' in view) {
      this.#runtimeVersion = view.version;
      if (view.calls.join() !== this.#tableCalls.join()) {
        this.#tableCalls = view.calls;
        this.#tools = nac3ToolDefinitions(view.calls);
      }
    }
    return view;
  }

  /** A page that is left while it is asked is not the one to show. */
  async #arrivedAt(signal: AbortSignal): Promise<PageView> {
    for (let asked = 1; ; asked += 1) {
      await this.#stage.arrived(signal, 'load');
      try {
        return await seeing(this.#stage.page);
      } catch (error) {
        if (!isLeft(error) || asked === MAX_ASKED || signal.aborted) throw error;
      }
    }
  }
}

/** An element that only the manifest tells of now is gone from the page. */
function stillThere(before: NacShown | null, now: NacAim, action: NacAction): NacAim {
  if (before === null) return now;
  const wasInPage = aimOf(before, action).matches.some(({ not_in_page: absent }) => absent !== true);
  return wasInPage ? { ...now, matches: now.matches.filter(({ not_in_page: absent }) => absent !== true) } : now;
}

const GONE = 'the table is not there any more; call "describe" and name one that is';

/** A target of which nothing is known. */
const UNSEEN: TargetSight = {
  shown: false,
  shown_before: false,
  matched_then: null,
  matched_now: null,
  actionable: null,
  dispatched: false,
  invented: [],
};

/** Arguments that the tool does not take, or choices that it does not offer. */
function inventedIn({ issues }: z.ZodError): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys;
    return issue.code === 'invalid_value' ? [issue.path.join('.')] : [];
  });
}

/** Why a value is none of this field; null when it may be. */
function unfitFor(action: NacAction, element: ShownElement, shown: NacShown): string | null {
  const name = `"${element.nac_id}"`;
  if (action.tool === 'fill' && isBox(element) && boxValueOf(element, action.value) === null)
    return `${name} is checked or not; fill it with true or false`;
  const { options = [] } = element;
  if (action.tool !== 'select' || options.length === 0 || optionOf(shown, element, action.value) !== null) return null;
  return `${name} has no option "${action.value}"; ${optionsText(options.map(({ value }) => value))}`;
}

function goneOrSeveral(action: NacAction, count: number): string {
  const name = `"${targetName(action)}"`;
  return count === 0
    ? `${name} is not there any more; call "describe" and name what is`
    : `${name} is ${count} elements now; call "describe" and name one of them`;
}

/** Null when the page went on to another before it could say. */
async function outcomeOf(page: Page, call: NacCall): Promise<NacOutcome | null> {
  try {
    return NacOutcome.parse(JSON.parse(await page.evaluate(callNac, { ...call, max: MAX_OUTCOME_LENGTH })));
  } catch (error) {
    if (isLeft(error)) return null;
    throw error;
  }
}

/** Whether a page could not answer because it went on to another, or was closed. */
function isLeft(error: unknown): boolean {
  return error instanceof Error && /context was destroyed|has been closed/.test(error.message);
}

function problemOf(outcome: NacOutcome): string | null {
  switch (outcome.kind) {
    case 'none':
      return 'unsupported: the NAC of this page has no such call';
    case 'dropped':
      return 'unsupported: the runtime of this page has left the arguments out; no host was asked with them';
    case 'rejected':
      return inOneLine(`${outcome.code}: ${outcome.message}`);
    case 'done':
      return outcome.ok ? null : `the host says that it has failed: ${inOneLine(outcome.result)}`;
  }
}
