import { Client, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Json } from '../../contract/json.ts';
import { messageOf } from '../../contract/message-of.ts';
import { didYouMean } from '../../contract/nearest-name.ts';
import type { SandboxLaunch, ProcessIsolation } from '../../process/sandbox/launch.ts';
import type { Bind, Binding } from '../../task/intent.ts';
import type { TargetReport } from '../../task/target.ts';
import { failedReply, type ToolCall, type ToolDefinition, type ToolReply } from '../../task/tool.ts';
import type { SurfaceSession } from '../surface.ts';
import { checkedTools } from '../page/tools.ts';
import { replyOf } from './reply.ts';

/** The longest possible time limit, in ms, for work that a signal ends. */
const UNLIMITED_MS = 2 ** 31 - 1;
/** Longest wait for the tools that a server has announced, in ms. */
const LIST_TIMEOUT_MS = 10_000;
/** Longest name and version of a server that are kept, in UTF-16 code units: every row has them. */
const MAX_VERSION_LENGTH = 200;

/** Replaces a tool's own description, with whose patterns the client would check each reply: matching one could take forever. */
const NO_SCHEMA = { inputSchema: { type: 'object' } } as const;

export interface ServerLink extends Transport {
  /** A folder of its own, whose files its replies may point to; null if it has none here. */
  readonly home: SandboxLaunch['home'] | null;
  /** Isolation of its process; absent if it has none here. */
  readonly isolation?: ProcessIsolation | undefined;
  /** The end of its error output, to append to a message. */
  readonly errorOutput: string;
}

export interface CallTargets {
  /**
   * @param tools the list that the agent called from
   * @returns the target of the call; null if it has none. Later calls may name what the reply shows.
   */
  reportOf(call: ToolCall, reply: ToolReply, tools: readonly ToolDefinition[]): TargetReport | null;
}

interface ServerTraits {
  name: string;
  bind: Bind;
  /** Absent if the targets of its calls are not known. */
  targets?: CallTargets | undefined;
  /** Calls that must succeed, in this order, before the agent begins. */
  ready?: readonly ToolCall[];
  /** Paths of the files that the task gives. */
  files?: readonly string[];
}

export class McpSession implements SurfaceSession {
  readonly bind: Bind;
  readonly files: readonly string[];
  readonly #client = new Client({ name: 'touchstone', version: '1' });
  readonly #server: ServerLink;
  readonly #targets: CallTargets | undefined;
  #tools: readonly ToolDefinition[] = [];
  #hasOtherTools = false;

  private constructor(server: ServerLink, { bind, targets, files = [] }: ServerTraits) {
    this.#server = server;
    this.bind = async (...step) => this.#listed(await bind(...step));
    this.#targets = targets;
    this.files = files;
  }

  /**
   * Starts a server, lists its tools and makes the calls that show that it is ready.
   * @param signal ends the server if it fires before that
   * @throws Error when any of this fails; the server has ended then
   */
  static async open(server: ServerLink, traits: ServerTraits, signal: AbortSignal): Promise<McpSession> {
    const end = (): void => void server.close();
    signal.addEventListener('abort', end);
    try {
      signal.throwIfAborted();
      const session = new McpSession(server, traits);
      await session.#begin(traits.ready ?? [], signal);
      return session;
    } catch (error) {
      await server.close();
      const why = messageOf(signal.aborted ? signal.reason : error);
      throw new Error(`${traits.name} did not start: ${why}${server.errorOutput}`, { cause: error });
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  get isolation(): ProcessIsolation | undefined {
    return this.#server.isolation;
  }

  get version(): string | null {
    const own = this.#client.getServerVersion();
    return own === undefined ? null : `${own.name} ${own.version}`.slice(0, MAX_VERSION_LENGTH);
  }

  /** A file may name a tool of another version of the server. */
  #listed(binding: Binding): Binding {
    if (binding.kind === 'impossible') return binding;
    const { tool } = binding.call;
    const listed = this.#tools.find(({ name }) => name === tool);
    if (listed !== undefined) return { ...binding, call: withNumbers(binding.call, listed) };
    const near = didYouMean(
      tool,
      this.#tools.map(({ name }) => name),
    );
    return { kind: 'impossible', why: `the server has no tool "${tool}"${near}` };
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const tools = this.#tools;
    const reply = await this.#replyTo(call, signal);
    return this.#targets === undefined ? reply : { ...reply, target: this.#targets.reportOf(call, reply, tools) };
  }

  async #replyTo({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    try {
      const options = { signal, timeout: UNLIMITED_MS, toolDefinition: { name: tool, ...NO_SCHEMA } };
      return await replyOf(await this.#client.callTool({ name: tool, arguments: args }, options), this.#server.home);
    } catch (error) {
      return failedReply(`${messageOf(error)}${this.#server.errorOutput}`);
    }
  }

  /** Takes the list again if the server has announced another. If it does not come, the old one stays. */
  async refresh(): Promise<void> {
    if (!this.#hasOtherTools) return;
    await this.#list(AbortSignal.timeout(LIST_TIMEOUT_MS)).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#server.close();
  }

  async #begin(ready: readonly ToolCall[], signal: AbortSignal): Promise<void> {
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => {
      this.#hasOtherTools = true;
    });
    await this.#client.connect(this.#server, { signal, timeout: UNLIMITED_MS });
    await this.#list(signal);
    for (const call of ready) {
      const { ok, text } = await this.call(call, signal);
      if (!ok) throw new Error(`it is not ready, ${call.tool} replied: ${text}`);
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    this.#hasOtherTools = false;
    const options = { signal, timeout: UNLIMITED_MS, cacheMode: 'refresh' } as const;
    const { tools } = await this.#client.listTools(undefined, options);
    this.#tools = checkedTools(tools);
  }
}

const Properties = z.looseObject({ properties: z.record(z.string(), z.looseObject({ type: z.unknown() })) });

/** A reference is text that was read from a reply; some tools want a number. */
function withNumbers({ tool, args }: ToolCall, { input_schema: schema }: ToolDefinition): ToolCall {
  const { data } = Properties.safeParse(schema);
  const typed = Object.entries(args).map(([name, value]): [string, Json] => {
    const type = data?.properties[name]?.type;
    const wantsNumber = type === 'number' || type === 'integer';
    return [name, wantsNumber && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value];
  });
  return { tool, args: Object.fromEntries(typed) };
}
