import { Client } from '@modelcontextprotocol/client';
import { JsonObject } from '../../contract/json.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import type { EndpointSeat, EndpointSurface, SurfaceSession } from '../surface.ts';
import { replyOf } from './reply.ts';
import { ServerProcess } from './server-process.ts';
import { filledIn, type ToolServer } from './tool-server.ts';
import { messageOf } from '../../contract/message-of.ts';

/** How long a server may take to start, and to list its tools, in ms. */
const START_TIMEOUT_MS = 20_000;
/** How long a call may take, in ms; the episode's own limit is shorter, and cancels it. */
const CALL_TIMEOUT_MS = 120_000;

/** The surface that a tool server is: all the tools that it lists, and its replies as it gives them. */
export function mcpSurface(server: ToolServer, startTimeoutMs = START_TIMEOUT_MS): EndpointSurface {
  const { program } = server;
  const isMissing = 'missing' in program;
  return {
    id: server.id,
    needs: 'endpoint',
    interaction: 'multi-turn',
    version: isMissing ? 'not installed' : program.version,
    unavailable: isMissing ? program.missing : null,
    open: async (seat) => {
      if (isMissing) throw new Error(program.missing);
      return await openSession(server, program.script, seat, startTimeoutMs);
    },
  };
}

async function openSession(
  server: ToolServer,
  script: string,
  seat: EndpointSeat,
  timeout: number,
): Promise<SurfaceSession> {
  const transport = new ServerProcess(script, filledIn(server.args, seat));
  try {
    const client = new Client({ name: 'touchstone', version: '1' });
    await client.connect(transport, { timeout });
    const { tools } = await client.listTools(undefined, { timeout });
    const definitions = tools.map(({ name, description = '', inputSchema }): ToolDefinition => ({
      name,
      description,
      input_schema: JsonObject.parse(inputSchema),
    }));
    return new McpSession(server, client, transport, definitions);
  } catch (error) {
    await transport.close();
    const why = messageOf(error);
    throw new Error(`the server ${server.id} did not start: ${why}${said(transport)}`, { cause: error });
  }
}

class McpSession implements SurfaceSession {
  readonly tools: readonly ToolDefinition[];
  readonly bind: SurfaceSession['bind'];
  readonly #client: Client;
  readonly #transport: ServerProcess;

  constructor(server: ToolServer, client: Client, transport: ServerProcess, tools: readonly ToolDefinition[]) {
    this.tools = tools;
    this.bind = server.bind;
    this.#client = client;
    this.#transport = transport;
  }

  async call({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    try {
      const result = await this.#client.callTool({ name: tool, arguments: args }, { signal, timeout: CALL_TIMEOUT_MS });
      return await replyOf(result, this.#transport.home);
    } catch (error) {
      const why = messageOf(error);
      return { ok: false, kind: 'error', text: `${why}${said(this.#transport)}` };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

function said({ complaint }: ServerProcess): string {
  return complaint === '' ? '' : `; it said: ${complaint}`;
}
