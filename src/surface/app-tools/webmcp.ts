import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { messageOf } from '../../contract/message-of.ts';
import type { Bind } from '../../task/intent.ts';
import { failedReply, type ToolCall, type ToolDefinition, type ToolReply } from '../../task/tool.ts';
import { bindCall, AppTargets } from './call-target.ts';
import { Tabs } from '../page/tabs.ts';
import type { ContextSeat, ContextSurface, SurfaceSession } from '../surface.ts';
import { appToolsDiffer } from '../traits.ts';
import { playwrightVersion } from '../page/playwright-errors.ts';
import { JsonObject } from '../../contract/json.ts';
import { checkedTools } from '../page/tools.ts';
import { untilAborted } from '../until-aborted.ts';

/** The tools that the app's pages register by WebMCP (`document.modelContext`). */
export const webmcp: ContextSurface = {
  id: 'webmcp',
  needs: 'context',
  takesScript: false,
  toolsOf: 'app_pages',
  differences: appToolsDiffer('a tool of a page works on that page alone'),
  // The first that was tried.
  needsChromium: 156,
  needsStart: '--enable-features=WebMCP',
  version: playwrightVersion(),
  interaction: 'multi-turn',
  unavailable: null,
  open: (seat) => WebMcpSession.open(seat),
};

const LIST_TIMEOUT_MS = 5_000;
const SUBMIT_TIMEOUT_MS = 5_000;

/** Offered while a form waits. If the page has a tool of this name, the page's own is called. */
const SUBMIT_FORM: ToolDefinition = {
  name: 'submit_form',
  description: 'Presses the submit button of the form that the last call filled in.',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};

const FILLED = `The form is filled in and waits for its user to submit it. Call ${SUBMIT_FORM.name} to press its button.`;

/** A form without `toolautosubmit` that a call has filled in: its tool answers when it is submitted. */
interface WaitingForm {
  button: Locator;
  answer: Promise<unknown>;
}

/** Not by a schema, since a page may answer with any number of parts. */
function isAnswerPart(part: unknown): boolean {
  const { type, text }: { type?: unknown; text?: unknown } = Object(part);
  return typeof type === 'string' && (text === undefined || typeof text === 'string');
}

const Answer = z.object({
  isError: z.boolean().default(false),
  content: z.custom<{ type: string; text?: string }[]>((parts) => Array.isArray(parts) && parts.every(isAnswerPart)),
});

/** The tools of the pages of one episode: those of the main frame of the tab in front. */
class WebMcpSession implements SurfaceSession {
  readonly bind: Bind = bindCall;
  readonly #seat: ContextSeat;
  readonly #tabs: Tabs;
  readonly #targets: AppTargets;
  #tools: readonly ToolDefinition[] = [];
  #waiting: WaitingForm | null = null;

  private constructor(seat: ContextSeat, tabs: Tabs) {
    this.#seat = seat;
    this.#tabs = tabs;
    this.#targets = new AppTargets(seat.goal ?? '');
  }

  static async open(seat: ContextSeat): Promise<WebMcpSession> {
    const session = new WebMcpSession(seat, await Tabs.open(seat));
    await session.#list();
    return session;
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const tools = this.#tools;
    const reply = await this.#reply(call, signal);
    const target = this.#targets.reportOf(call, reply, tools);
    const targetId = await this.#tabs.currentTargetId();
    if (targetId !== null) this.#seat.touch(targetId);
    return { ...reply, target };
  }

  /** Another page may have other tools. If its list does not come, for example behind a dialog, the old one stays. */
  async refresh(): Promise<void> {
    await this.#list().catch(() => {});
  }

  close(): Promise<void> {
    return this.#tabs.close();
  }

  async #list(): Promise<void> {
    const found = await this.#tabs.current.webmcp.tools({ timeout: LIST_TIMEOUT_MS });
    const own = checkedTools(found, JsonObject.catch({}));
    // Its page may have been left.
    if ((await this.#waiting?.button.count()) === 0) this.#waiting = null;
    const isOffered = this.#waiting !== null && own.every(({ name }) => name !== SUBMIT_FORM.name);
    const tools = isOffered ? [...own, SUBMIT_FORM] : own;
    // An equal list stays the same object.
    if (JSON.stringify(tools) !== JSON.stringify(this.#tools)) this.#tools = tools;
  }

  async #reply(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const called = this.#tools.find(({ name }) => name === call.tool);
    if (called === undefined) {
      const names = this.#tools.length === 0 ? 'none' : this.#tools.map(({ name }) => name).join(', ');
      return failedReply(`the page has no tool "${call.tool}"; it has ${names}`);
    }
    try {
      const answer = called === SUBMIT_FORM ? this.#submit() : this.#ask(call);
      return replyOf(await untilAborted(signal, answer));
    } catch (error) {
      return failedReply(messageOf(error));
    }
  }

  async #ask({ tool, args }: ToolCall): Promise<unknown> {
    const page = this.#tabs.current;
    const form = page.locator(`form[toolname=${JSON.stringify(tool)}]:not([toolautosubmit])`);
    const waits = (await form.count()) > 0;
    const answer = page.webmcp.callTool(tool, args, { timeout: 0 });
    this.#waiting = null;
    if (!waits) return answer;
    const filled = form.and(page.locator(':tool-form-active')).waitFor({ state: 'attached' });
    const isFilled = await Promise.race([answer.then(() => false), filled.then(() => true)]);
    if (!isFilled) return answer;
    this.#waiting = { button: page.locator(':tool-submit-active'), answer };
    return FILLED;
  }

  async #submit(): Promise<unknown> {
    const waiting = this.#waiting;
    if (waiting === null) throw new Error('no form waits to be submitted');
    await waiting.button.click({ timeout: SUBMIT_TIMEOUT_MS });
    this.#waiting = null;
    return await waiting.answer;
  }
}

/** A page is not an MCP server: an answer of another form is shown as text. */
function replyOf(answer: unknown): ToolReply {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success)
    return { ok: true, kind: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  const { isError, content } = parsed.data;
  return {
    ok: !isError,
    kind: isError ? 'error' : 'text',
    text: content.map(({ type, text }) => text ?? `[${type}]`).join('\n'),
  };
}
