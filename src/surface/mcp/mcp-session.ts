import { Client } from '@modelcontextprotocol/client';
import { JsonObject } from '../../contract/json.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { Bind } from '../../task/intent.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import type { SurfaceSession } from '../surface.ts';
import { bindingOf } from './bind.ts';
import { filledObject, type Values } from './placeholders.ts';
import { replyOf } from './reply.ts';
import type { Server } from './server-file.ts';
import type { ServerProcess } from './server-process.ts';

/** How long a call may take, in ms; the episode's own limit is shorter, and cancels it. */
const CALL_TIMEOUT_MS = 120_000;

/** A tool server at work in one episode. */
export class McpSession implements SurfaceSession {
  readonly bind: Bind;
  readonly #client = new Client({ name: 'touchstone', version: '1' });
  readonly #server: ServerProcess;
  readonly #timeout: number;
  #tools: readonly ToolDefinition[] = [];
  #hasOtherTools = false;

  private constructor(server: ServerProcess, { binding, start_timeout_ms: timeout }: Server) {
    this.#server = server;
    this.#timeout = timeout;
    this.bind = bindingOf(binding ?? null);
  }

  /**
   * Starts a server, takes the list of its tools and makes the call by which it is known to be ready.
   * @throws Error when it does not do all of this in time; whoever calls then ends it.
   */
  static async open(process: ServerProcess, server: Server, values: Values): Promise<McpSession> {
    const session = new McpSession(process, server);
    const client = session.#client;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      session.#hasOtherTools = true;
    });
    await client.connect(process, { timeout: session.#timeout });
    await session.#list();
    if (server.ready !== undefined) {
      const { tool, args } = server.ready;
      const reply = await session.call(
        { tool, args: filledObject(args, values) },
        AbortSignal.timeout(session.#timeout),
      );
      if (!reply.ok) throw new Error(`it is not ready, ${tool} says: ${reply.text}`);
    }
    return session;
  }

  /** Those that it lists now: a server may offer more of them as it goes. */
  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  /** As it calls itself; null when it does not. */
  get version(): string | null {
    const says = this.#client.getServerVersion();
    return says === undefined ? null : `${says.name} ${says.version}`;
  }

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    try {
      const result = await this.#client.callTool({ name: tool, arguments: args }, { signal, timeout: CALL_TIMEOUT_MS });
      if (this.#hasOtherTools) await this.#list();
      return await replyOf(result, this.#server.home);
    } catch (error) {
      return { ok: false, kind: 'error', text: `${messageOf(error)}${this.#server.said}` };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** @throws Error when the list does not come, or has no end. */
  async #list(): Promise<void> {
    this.#hasOtherTools = false;
    const { tools } = await this.#client.listTools(undefined, { timeout: this.#timeout, cacheMode: 'refresh' });
    this.#tools = tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      input_schema: JsonObject.parse(inputSchema),
    }));
  }
}
