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
    const tools = checkedTools(
      await this.#tabs.current.webmcp.tools({ timeout: LIST_TIMEOUT_MS }),
      JsonObject.catch({}),
    );
    // An equal list stays the same object.
    if (JSON.stringify(tools) !== JSON.stringify(this.#tools)) this.#tools = tools;
  }

  async #reply({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    if (!this.#tools.some(({ name }) => name === tool)) {
      const names = this.#tools.length === 0 ? 'none' : this.#tools.map(({ name }) => name).join(', ');
      return failedReply(`the page has no tool "${tool}"; it has ${names}`);
    }
    try {
      return replyOf(await untilAborted(signal, this.#tabs.current.webmcp.callTool(tool, args, { timeout: 0 })));
    } catch (error) {
      return failedReply(messageOf(error));
    }
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
