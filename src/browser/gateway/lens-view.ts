import { z } from 'zod';
import { idOf, sessionOf } from '../envelope.ts';
import type { GuestCommand } from '../guest.ts';
import type { CdpCommand } from './command.ts';
import type { ContextLens } from './context-lens.ts';
import { aimed, type Denial, denialOf, SETS_DOWNLOADS } from './lens-rules.ts';

/** The browser takes no number of a command that is higher; those of ours begin there. */
const LAST_ID = 2 ** 31 - 1;
const FIRST_OWN_ID = 2 ** 32;

const TARGET_EVENT = '{"method":"Target.';

const Target = z.looseObject({
  targetId: z.string(),
  type: z.string(),
  url: z.string(),
  browserContextId: z.string().optional(),
});
const WithTarget = z.object({ targetInfo: Target });
const WithTargetId = z.object({ targetId: z.string() });
const Attached = WithTarget.extend({ sessionId: z.string(), waitingForDebugger: z.boolean() });
const Detached = z.object({ sessionId: z.string() });
const TargetEvent = z.object({ method: z.string(), params: z.looseObject({}) });
const Result = z.looseObject({});
const Reply = z.looseObject({ result: Result.optional() });
const Targets = z.object({ targetInfos: z.array(Target) });
const Contexts = z.object({ browserContextIds: z.array(z.string()) });
const MadeContext = z.object({ browserContextId: z.string() });
const InWindow = z.object({ windowId: z.int() });

type Result = z.infer<typeof Result>;
/** Takes note of a reply, and gives what of it the client is to find. */
type Look = (result: Result) => Result;

/** A command as it is passed on, or the answer in its place; null where it is none to the browser. */
type Asked = { command: CdpCommand } | { denial: Denial } | null;

/** The browser as one client finds it through a lens, on the way there and on the way back. */
export class LensView {
  readonly #lens: ContextLens;
  readonly #send: (command: GuestCommand) => void;
  /** Sessions of the browser itself: null is the connection. */
  readonly #toBrowser = new Set<string | null>();
  /** Sessions of what is not in the lens, which are let go. */
  readonly #foreign = new Set<string>();
  /** Sessions that have said what becomes of downloads. */
  readonly #settling = new Set<string | null>();
  /** By numbers of ours the commands whose replies are looked at: a client may give two of its own the same. */
  readonly #looks = new Map<number, { id: number; look: Look }>();
  #lastId = FIRST_OWN_ID - 1;

  /**
   * @param isOfPage whether the client is connected to a page, and not to the browser
   * @param send passes a command of the lens's own on to the browser
   */
  constructor(lens: ContextLens, isOfPage: boolean, send: (command: GuestCommand) => void) {
    this.#lens = lens;
    this.#send = send;
    if (!isOfPage) this.#toBrowser.add(null);
  }

  /** A client has sent a command. */
  ask(command: CdpCommand): Asked {
    const { id, sessionId } = command;
    if (Math.abs(id) > LAST_ID) return null;
    if (sessionId !== undefined && this.#foreign.has(sessionId)) {
      return { denial: { code: -32_001, message: 'Session with given id not found.' } };
    }
    const addressee = { isToBrowser: this.#toBrowser.has(sessionId ?? null) };
    const denial = denialOf(command, this.#lens, addressee);
    if (denial !== null) return { denial };
    if (SETS_DOWNLOADS.has(command.method)) this.#settling.add(sessionId ?? null);
    const passed = aimed(command, this.#lens, addressee);
    const look = this.#lookAt(passed);
    if (look === null) return { command: passed };
    const own = this.#nextId();
    this.#looks.set(own, { id, look });
    return { command: { ...passed, id: own } };
  }

  /** Gives what the client is to hear of a message of the browser; null where that is nothing. */
  hear(message: Buffer): Buffer | null {
    const id = idOf(message);
    if (id !== null) return id < FIRST_OWN_ID ? message : this.#answered(id, message);
    const session = sessionOf(message);
    if (session !== null && this.#foreign.has(session)) return null;
    if (!message.toString('latin1', 0, TARGET_EVENT.length).startsWith(TARGET_EVENT)) return message;
    const { method, params } = TargetEvent.parse(JSON.parse(message.toString('utf8')));
    return this.#isHeard(method, params, session) ? message : null;
  }

  /** The client has left the browser. */
  end(): void {
    if (this.#settling.size > 0) this.#lens.leadAgain();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #answered(own: number, message: Buffer): Buffer | null {
    const asked = this.#looks.get(own);
    this.#looks.delete(own);
    // To a command of the lens's own.
    if (asked === undefined) return null;
    const { result, ...rest } = Reply.parse(JSON.parse(message.toString('utf8')));
    const seen = result === undefined ? {} : { result: asked.look(result) };
    return Buffer.from(JSON.stringify({ ...rest, id: asked.id, ...seen }));
  }

  #isHeard(method: string, params: object, session: string | null): boolean {
    switch (method) {
      case 'Target.attachedToTarget':
        return this.#attached(Attached.parse(params), session);
      case 'Target.detachedFromTarget': {
        const { sessionId } = Detached.parse(params);
        this.#toBrowser.delete(sessionId);
        if (this.#settling.delete(sessionId)) this.#lens.leadAgain();
        return !this.#foreign.delete(sessionId);
      }
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged':
        return this.#lens.sees(WithTarget.parse(params).targetInfo);
      case 'Target.targetDestroyed':
      case 'Target.targetCrashed':
        return this.#lens.hasTarget(WithTargetId.parse(params).targetId);
      default:
        return false;
    }
  }

  #attached({ sessionId, targetInfo, waitingForDebugger }: z.infer<typeof Attached>, parent: string | null): boolean {
    if (this.#lens.sees(targetInfo)) {
      if (targetInfo.type === 'browser') this.#toBrowser.add(sessionId);
      return true;
    }
    // The owner's page is not to wait for a client that never hears of it.
    this.#foreign.add(sessionId);
    if (waitingForDebugger) this.#send({ id: this.#nextId(), method: 'Runtime.runIfWaitingForDebugger', sessionId });
    const letGo = { id: this.#nextId(), method: 'Target.detachFromTarget', params: { sessionId } };
    this.#send(parent === null ? letGo : { ...letGo, sessionId: parent });
    return false;
  }

  #lookAt({ method, params = {} }: CdpCommand): Look | null {
    const lens = this.#lens;
    switch (method) {
      case 'Target.getTargets':
        return (result) => ({ targetInfos: Targets.parse(result).targetInfos.filter((target) => lens.sees(target)) });
      case 'Target.getTargetInfo':
        return noting(WithTarget, ({ targetInfo }) => lens.sees(targetInfo));
      case 'Target.getBrowserContexts':
        return (result) => ({
          ...result,
          browserContextIds: Contexts.parse(result).browserContextIds.filter((id) => lens.made.includes(id)),
          defaultBrowserContextId: lens.home,
        });
      case 'Target.createTarget':
        return noting(WithTargetId, ({ targetId }) => {
          lens.tellTarget(targetId);
        });
      case 'Target.createBrowserContext':
        return noting(MadeContext, ({ browserContextId }) => {
          lens.add(browserContextId);
        });
      case 'Target.disposeBrowserContext':
        return noting(Result, () => {
          lens.remove(String(params['browserContextId']));
        });
      case 'Browser.getWindowForTarget':
        return noting(InWindow, ({ windowId }) => {
          lens.tellWindow(windowId);
        });
      default:
        return null;
    }
  }
}

/** Leaves a reply as it is, once note is taken of it. */
function noting<T extends z.ZodType>(schema: T, note: (result: z.output<T>) => unknown): Look {
  return (result) => {
    note(schema.parse(result));
    return result;
  };
}
