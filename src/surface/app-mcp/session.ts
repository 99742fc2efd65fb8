import type { Bind } from '../../task/intent.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import { bindCall } from '../app-tools/bind-call.ts';
import { Heard } from '../app-tools/heard.ts';
import { targetOfCall } from '../app-tools/target-of-call.ts';
import { McpSession, type ServerLink } from '../mcp/mcp-session.ts';
import type { SurfaceSession } from '../surface.ts';

/** How long the app's server may take to answer until its tools are listed, in ms. */
const OPEN_TIMEOUT_MS = 20_000;

/** An app's own server at work in one episode. */
export class AppMcpSession implements SurfaceSession {
  readonly bind: Bind = bindCall;
  readonly #server: McpSession;
  readonly #heard = new Heard();

  private constructor(server: McpSession, goal: string) {
    this.#server = server;
    this.#heard.hear(goal);
  }

  /**
   * @param goal what the agent was told before it saw anything
   * @throws Error when the server does not answer
   */
  static async open(link: ServerLink, goal: string): Promise<AppMcpSession> {
    const inTime = AbortSignal.timeout(OPEN_TIMEOUT_MS);
    return new AppMcpSession(await McpSession.open(link, { name: "the app's MCP server" }, inTime), goal);
  }

  get tools() {
    return this.#server.tools;
  }

  get version() {
    return this.#server.version;
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    this.#heard.hear(JSON.stringify(this.tools));
    const target = targetOfCall(call, this.tools, this.#heard);
    const reply = await this.#server.call(call, signal);
    this.#heard.hear(reply.text);
    return { ...reply, target };
  }

  refresh(): Promise<void> {
    return this.#server.refresh();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
