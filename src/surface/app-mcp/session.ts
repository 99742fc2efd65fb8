import type { Bind } from '../../task/intent.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import { bindCall } from '../app-tools/bind-call.ts';
import { CallAim } from '../app-tools/call-aim.ts';
import { McpSession, type ServerLink } from '../mcp/mcp-session.ts';
import type { SurfaceSession } from '../surface.ts';

/** Time for the app's server to answer until its tools are listed, in ms. */
const OPEN_TIMEOUT_MS = 20_000;

/** An app's own server at work in one episode. */
export class AppMcpSession implements SurfaceSession {
  readonly bind: Bind = bindCall;
  readonly #server: McpSession;
  readonly #aim: CallAim;

  private constructor(server: McpSession, goal: string) {
    this.#server = server;
    this.#aim = new CallAim(goal);
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
    const { tools } = this;
    const reply = await this.#server.call(call, signal);
    return { ...reply, target: this.#aim.reportOf(call, tools, reply) };
  }

  refresh(): Promise<void> {
    return this.#server.refresh();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
