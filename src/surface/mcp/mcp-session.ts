import { Client, type Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../contract/message-of.ts';
import { wellFormed } from '../../contract/strings.ts';
import type { SandboxLaunch, ProcessIsolation } from '../../process/sandbox/launch.ts';
import type { Bind } from '../../task/intent.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import type { SeatTab, SurfaceSession } from '../surface.ts';
import { takenList } from '../page/tools.ts';
import { ServerTargets, bindingOf, elementsBy } from './binding.ts';
import type { BindingFile } from './server-file.ts';
import { replyOf } from './reply.ts';

/** For what has a signal that ends it: the longest time, in ms, that there is. */
const UNLIMITED_MS = 2 ** 31 - 1;
/** Time for other tools that a server has announced to be listed, in ms. */
const LIST_TIMEOUT_MS = 10_000;
/** Longest name and version that a server may call itself, in UTF-16 code units: every row has it. */
const MAX_VERSION_LENGTH = 200;

/**
 * Given to the client in the place of a server's own description of a tool, to which it would hold each reply: of a reply the text
 * alone is read, and a pattern of somebody's that is matched here can take for ever, for everybody.
 */
const NO_SCHEMA = { inputSchema: { type: 'object' } } as const;

/** The way to a server. */
export interface ServerLink extends Transport {
  /** A folder of its own, whose files its replies may point to; null where it has none here. */
  readonly home: SandboxLaunch['home'] | null;
  /** Isolation of its process; absent if it has none here. */
  readonly isolation?: ProcessIsolation | undefined;
  /** The end of its error output, to append to a message. */
  readonly said: string;
}

/** A server, as a session needs to know it. */
export interface ServerTraits {
  /** As errors name it. */
  name: string;
  binding?: BindingFile | undefined;
  /** The tabs of the browser, as a binding may ask for them; absent without a binding. */
  tabs?: () => readonly SeatTab[];
  /** Calls that must succeed, in this order, before the agent begins. */
  ready?: readonly ToolCall[];
}

/** A tool server at work in one episode. */
export class McpSession implements SurfaceSession {
  readonly bind: Bind;
  readonly #client = new Client({ name: 'touchstone', version: '1' });
  readonly #server: ServerLink;
  /** Null without a binding. */
  readonly #targets: ServerTargets | null;
  #tools: readonly ToolDefinition[] = [];
  #hasOtherTools = false;

  private constructor(server: ServerLink, { binding, tabs = () => [] }: ServerTraits) {
    this.#server = server;
    this.bind = bindingOf(binding ?? null, tabs);
    this.#targets = binding === undefined ? null : targetsBy(binding);
  }

  /**
   * Starts a server, takes the list of its tools and makes the calls by which it is known to be ready.
   * @param signal ends the server, and with it this, when it fires before that
   * @throws Error when it does not do all of this; nothing is left of it then.
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
      throw new Error(`${traits.name} did not start: ${why}${server.said}`, { cause: error });
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Those that it lists now: a server may offer more of them as it goes. */
  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  /** Isolation of the server's process; undefined where it has none here. */
  get isolation(): ProcessIsolation | undefined {
    return this.#server.isolation;
  }

  /** As it calls itself, cut where that is very long; null when it does not. */
  get version(): string | null {
    const says = this.#client.getServerVersion();
    return says === undefined ? null : wellFormed(`${says.name} ${says.version}`.slice(0, MAX_VERSION_LENGTH));
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const reply = await this.#replyTo(call, signal);
    return this.#targets === null ? reply : { ...reply, target: this.#targets.reportOf(call, reply) };
  }

  async #replyTo({ tool, args }: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    try {
      const options = { signal, timeout: UNLIMITED_MS, toolDefinition: { name: tool, ...NO_SCHEMA } };
      return await replyOf(await this.#client.callTool({ name: tool, arguments: args }, options), this.#server.home);
    } catch (error) {
      return { ok: false, kind: 'error', text: `${messageOf(error)}${this.#server.said}` };
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
      if (!ok) throw new Error(`it is not ready, ${call.tool} says: ${text}`);
    }
  }

  /** @throws Error when the list does not come, has no end, or is too long. */
  async #list(signal: AbortSignal): Promise<void> {
    this.#hasOtherTools = false;
    const options = { signal, timeout: UNLIMITED_MS, cacheMode: 'refresh' } as const;
    const { tools } = await this.#client.listTools(undefined, options);
    this.#tools = takenList(tools);
  }
}

function targetsBy(binding: BindingFile): ServerTargets {
  const elements = elementsBy(binding);
  return new ServerTargets(binding, (text) => new Set(elements(text).map(({ ref }) => ref)));
}
