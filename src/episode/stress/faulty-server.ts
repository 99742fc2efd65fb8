import { messageOf } from '../../contract/message-of.ts';
import type { Injection } from '../../fault/fault-kind.ts';
import type { ReplyInstead, ServerCall } from '../../fault/ports.ts';
import type { SurfaceSession } from '../../surface/surface.ts';
import type { Bind } from '../../task/intent.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import { within } from '../../process/deadline.ts';
import { openSurface } from '../open-surface.ts';
import type { Place } from '../place.ts';

type InCall = NonNullable<Injection['inCall']>;

const END_MS = 10_000;

/** A session whose tool server may end in a call. The server that runs then carries out the next. */
export class FaultyServer implements SurfaceSession {
  readonly #first: SurfaceSession;
  readonly #inCall: InCall;
  readonly #place: Pick<Place, 'openSurface'>;
  #session: SurfaceSession | null;
  #calls = 0;
  /** Fires when no server may start any more. */
  readonly #over = new AbortController();
  #underWay: Promise<ToolReply> | null = null;
  #closing: Promise<void> | null = null;
  readonly bind: Bind = (intent, last) => (this.#session ?? this.#first).bind(intent, last);

  constructor(first: SurfaceSession, inCall: InCall, place: Pick<Place, 'openSurface'>) {
    this.#first = first;
    this.#session = first;
    this.#inCall = inCall;
    this.#place = place;
  }

  get tools(): readonly ToolDefinition[] {
    return (this.#session ?? this.#first).tools;
  }

  get version(): string | null {
    return this.#first.version ?? null;
  }

  get isolation() {
    return this.#first.isolation;
  }

  get runtimeVersion(): string | null {
    return this.#first.runtimeVersion ?? null;
  }

  async refresh(): Promise<void> {
    await this.#session?.refresh?.();
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const session = this.#session;
    if (session === null) return failure('the tool server has ended, and did not start again');
    this.#calls += 1;
    let own: Promise<ToolReply> | null = null;
    const carriedOut = (): Promise<ToolReply> => (own ??= session.call(call, signal));
    const dealing = this.#inCall({
      number: this.#calls,
      signal,
      carryOut: () => carriedOut().then(({ text }) => text, messageOf),
      kill: async () => {
        this.#session = null;
        await session.close();
      },
      startAgain: () => this.#startAgain(),
    });
    this.#underWay = dealing.then((instead) => (instead === null ? carriedOut() : replyOf(instead)));
    return await this.#underWay;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Closes the session, and waits for a limited time. */
  async end(): Promise<void> {
    await within(END_MS, () => this.close()).catch(() => {});
  }

  /** Waits for a server that is starting, which would otherwise outlive the episode. */
  async #close(): Promise<void> {
    this.#over.abort(new Error('the episode has ended'));
    if (this.#session === null) await this.#underWay?.catch(() => {});
    await this.#session?.close();
  }

  async #startAgain(): ReturnType<ServerCall['startAgain']> {
    const { signal: over } = this.#over;
    if (over.aborted) return { runs: false, why: null };
    const opened = await openSurface({
      openSurface: (tooLate) => this.#place.openSurface(AbortSignal.any([tooLate, over])),
    });
    if ('failure' in opened) return { runs: false, why: opened.failure };
    this.#session = opened.surface;
    return over.aborted ? { runs: false, why: null } : { runs: true };
  }
}

function replyOf(instead: ReplyInstead): ToolReply {
  return 'failure' in instead ? failure(instead.failure) : JSON.parse(instead.bytes);
}

function failure(text: string): ToolReply {
  return { ok: false, kind: 'error', text };
}
