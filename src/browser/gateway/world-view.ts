import { z } from 'zod';
import { sessionOf } from '../envelope.ts';
import type { GuestCommand } from '../guest.ts';
import { isOfWorld } from '../url-policy.ts';

const Target = z.looseObject({ targetId: z.string(), type: z.string(), url: z.string() });
const WithTarget = z.object({ targetInfo: Target });
const Attached = WithTarget.extend({ sessionId: z.string() });
const Detached = z.object({ sessionId: z.string() });
const TargetEvent = z.object({ method: z.string(), params: z.looseObject({}) });
const Reply = z.looseObject({
  id: z.int(),
  result: z.union([z.object({ targetInfo: Target }), z.object({ targetInfos: z.array(Target) })]),
});

/** As Chromium writes events about targets, and replies that describe some. */
const TARGET_EVENT = '{"method":"Target.';
const DESCRIBES = /^\{"id":-?\d+,"result":\{"targetInfos?":/;
const HEAD_BYTES = 64;
/** The number of every command of the view's own: no client that counts reaches it. */
const OWN_ID = -(2 ** 52);

interface Denial {
  code: number;
  message: string;
}

const NO_SESSION: Denial = { code: -32_001, message: 'Session with given id not found.' };
export const NO_TARGET: Denial = { code: -32_602, message: 'No target with given id' };

/** The targets of the world, as one client finds them: it is not notified of others, and has no session of them. */
export class WorldView {
  readonly #send: (command: GuestCommand) => void;
  /** Targets by session. */
  readonly #attached = new Map<string, string>();
  /** Sessions of targets outside the world. */
  readonly #outside = new Set<string>();

  constructor(send: (command: GuestCommand) => void) {
    this.#send = send;
  }

  /** Answers a command to a target outside the world; null for every other command. */
  denialOf({ sessionId }: GuestCommand): Denial | null {
    return sessionId !== undefined && this.#outside.has(sessionId) ? NO_SESSION : null;
  }

  /** Returns the part of a browser's message that the client gets; null if none. */
  hear(message: Buffer): Buffer | null {
    const head = message.toString('latin1', 0, HEAD_BYTES);
    const session = this.#outside.size === 0 ? null : sessionOf(message);
    if (session !== null && this.#outside.has(session)) return null;
    if (head.startsWith(`{"id":${OWN_ID},`)) return null;
    if (DESCRIBES.test(head)) return described(message);
    if (!head.startsWith(TARGET_EVENT)) return message;
    const { method, params } = TargetEvent.parse(JSON.parse(message.toString('utf8')));
    return this.#isHeard(method, params, sessionOf(message)) ? message : null;
  }

  #isHeard(method: string, params: object, session: string | null): boolean {
    switch (method) {
      case 'Target.attachedToTarget':
        return this.#attach(Attached.parse(params), session);
      case 'Target.detachedFromTarget': {
        const { sessionId } = Detached.parse(params);
        this.#outside.delete(sessionId);
        // A client gets no end of a session that it never had.
        return this.#attached.delete(sessionId);
      }
      case 'Target.targetCreated':
        return isOfWorld(WithTarget.parse(params).targetInfo);
      case 'Target.targetInfoChanged': {
        const { targetInfo } = WithTarget.parse(params);
        if (isOfWorld(targetInfo)) return true;
        for (const [own, targetId] of this.#attached) if (targetId === targetInfo.targetId) this.#outside.add(own);
        return false;
      }
      default:
        return true;
    }
  }

  #attach({ sessionId, targetInfo }: z.infer<typeof Attached>, parent: string | null): boolean {
    if (isOfWorld(targetInfo)) {
      this.#attached.set(sessionId, targetInfo.targetId);
      return true;
    }
    this.#outside.add(sessionId);
    const letGo = { id: OWN_ID, method: 'Target.detachFromTarget', params: JSON.stringify({ sessionId }) };
    this.#send(parent === null ? letGo : { ...letGo, sessionId: parent });
    return false;
  }
}

function described(message: Buffer): Buffer {
  const { id, result, ...rest } = Reply.parse(JSON.parse(message.toString('utf8')));
  if ('targetInfos' in result) {
    const targetInfos = result.targetInfos.filter(isOfWorld);
    return Buffer.from(JSON.stringify({ id, result: { targetInfos }, ...rest }));
  }
  return isOfWorld(result.targetInfo) ? message : Buffer.from(JSON.stringify({ id, error: NO_TARGET, ...rest }));
}
