import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../contract/message-of.ts';
import type { FaultRecord } from '../../fault/fault-record.ts';
import type { ArmedServerFault } from '../../fault/schema.ts';
import type { SurfaceSession } from '../../surface/surface.ts';
import type { Bind } from '../../task/intent.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import { within } from '../deadline.ts';
import { openSurface } from '../open-surface.ts';
import type { Place } from '../place.ts';
import type { Striker } from './striker.ts';

/** A reply of a shape that no reply has. */
const MALFORMED = '{"ok":"perhaps","content":"all done"}';

/** How long what is being ended or started may take to be gone, in ms. */
const END_MS = 10_000;

/** Strikes the tool server in the nth tool call. */
export class ServerStriker implements Striker {
  readonly #fault: ArmedServerFault;
  readonly #record: FaultRecord;
  readonly #place: Pick<Place, 'openSurface'>;
  #session: SurfaceSession | null = null;
  #calls = 0;
  /** Fires when nothing is to be started any more. */
  readonly #over = new AbortController();
  #killing: Promise<ToolReply> | null = null;
  #closing: Promise<void> | null = null;

  constructor(fault: ArmedServerFault, record: FaultRecord, place: Pick<Place, 'openSurface'>) {
    this.#fault = fault;
    this.#record = record;
    this.#place = place;
  }

  through(surface: SurfaceSession): SurfaceSession {
    this.#session = surface;
    return new StruckSession(
      surface,
      (call, signal) => this.#call(call, signal),
      () => this.#session,
      () => this.#close(),
    );
  }

  /** What is not gone in time ends when it can, and is told of no more. */
  async end(): Promise<void> {
    await within(END_MS, () => this.#close()).catch(() => {});
  }

  #close(): Promise<void> {
    return (this.#closing ??= this.#clear());
  }

  /** A server that is being started when the episode ends would be nobody's. */
  async #clear(): Promise<void> {
    this.#over.abort(new Error('the episode has ended'));
    await this.#killing?.catch(() => {});
    await this.#session?.close();
  }

  async #call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const session = this.#session;
    if (session === null) return failure('the tool server has ended, and did not start again');
    this.#calls += 1;
    if (this.#calls !== this.#fault.call) return await session.call(call, signal);
    switch (this.#fault.kind) {
      case 'server_killed':
        return await (this.#killing = this.#kill(session, call, signal));
      case 'call_hung':
        this.#record.fire({ call: this.#calls });
        await sleep(this.#fault.ms, undefined, { signal }).catch(() => {});
        this.#record.clear(signal.aborted ? 'harness' : 'time');
        return failure('the tool server has not answered the call');
      case 'malformed_reply': {
        const reply = await session.call(call, signal);
        // Nobody waits for it any more.
        if (signal.aborted) return reply;
        this.#record.fire({ call: this.#calls });
        this.#record.clear('time');
        return JSON.parse(MALFORMED);
      }
    }
  }

  /** Ends it with all that it has started, while the call is under way, and starts another. */
  async #kill(session: SurfaceSession, call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    const calling = session.call(call, signal).catch((error: unknown) => failure(messageOf(error)));
    this.#session = null;
    await session.close();
    this.#record.fire({ call: this.#calls });
    const { text } = await calling;
    const { signal: over } = this.#over;
    if (over.aborted) return failure(text);
    const opened = await openSurface({
      openSurface: (tooLate) => this.#place.openSurface(AbortSignal.any([tooLate, over])),
    });
    if ('failure' in opened) return failure(opened.failure);
    this.#session = opened.surface;
    if (over.aborted) return failure(text);
    this.#record.clear('harness');
    return failure(`the tool server ended in the call, and was started again: ${text}`);
  }
}

/** The session of whichever server runs now. */
class StruckSession implements SurfaceSession {
  readonly #first: SurfaceSession;
  readonly #now: () => SurfaceSession | null;
  readonly close: SurfaceSession['close'];
  readonly call: SurfaceSession['call'];
  readonly bind: Bind = (intent, last) => this.#current.bind(intent, last);

  constructor(
    first: SurfaceSession,
    call: SurfaceSession['call'],
    now: () => SurfaceSession | null,
    close: SurfaceSession['close'],
  ) {
    this.#first = first;
    this.call = call;
    this.close = close;
    this.#now = now;
  }

  get #current(): SurfaceSession {
    return this.#now() ?? this.#first;
  }

  get tools(): readonly ToolDefinition[] {
    return this.#current.tools;
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
    await this.#now()?.refresh?.();
  }
}

function failure(text: string): ToolReply {
  return { ok: false, kind: 'error', text };
}
