import { z } from 'zod';
import {
  type FaultKind,
  whyNotInCalls,
  FaultCount,
  Drawn,
  id,
  Milliseconds,
  type FaultOutcome,
} from '../fault-kind.ts';
import type { ReplyInstead, ServerCall } from '../ports.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const FIELDS = {
  /** The tool call that it strikes, counted from 1. */
  call: Drawn.default(2),
  /** Time after which `call_hung` is given up, in ms; the harness's own limit stays. */
  ms: Milliseconds.default(60_000),
};
const Written = z.strictObject({ id, ...FIELDS });
const Armed = Written.extend({ call: FaultCount });
type Written = z.infer<typeof Written>;
type ArmedServerFault = z.infer<typeof Armed>;

/** Null keeps the server's own reply. */
type Deal = (call: ServerCall, outcome: FaultOutcome, fault: ArmedServerFault) => Promise<ReplyInstead | null>;

/** A kind that strikes the tool server at the nth call. */
function serverKind<const K extends string>(kind: K, about: string, deal: Deal) {
  const own = { kind: z.literal(kind) };
  return {
    kind,
    where: 'tool server',
    about,
    schema: Written.extend(own),
    armed: Armed.extend(own),
    whyNot: (entrant) =>
      whyNotInCalls(kind, entrant) ?? (entrant.hasServer ? null : 'the surface is built in: there is no tool server'),
    draw: ({ call }, by) => ({ call: by.number(call, 'call') }),
    inject: (fault, outcome) => ({
      inCall: async (call) => (call.number === fault.call ? await deal(call, outcome, fault) : null),
      end: () => Promise.resolve(),
    }),
  } as const satisfies FaultKind<Written & { kind: K }, ArmedServerFault & { kind: K }>;
}

const MALFORMED = '{"ok":"perhaps","content":"all done"}';

export const SERVER_KINDS = [
  serverKind(
    'server_killed',
    'the server ends while the call is under way, and is started again with the same page; the reply reports it',
    async (call, outcome) => {
      const carriedOut = call.carryOut();
      await call.kill();
      outcome.fire({ call: call.number });
      const text = await carriedOut;
      const started = await call.startAgain();
      if (!started.runs) return { failure: started.why ?? text };
      outcome.clear('harness');
      return { failure: `the tool server ended in the call, and was started again: ${text}` };
    },
  ),
  serverKind(
    'call_hung',
    'the call is not answered for `ms`, or until the harness gives it up after 30 s',
    async ({ number, signal }, outcome, { ms }) => {
      outcome.fire({ call: number });
      await sleep(ms, undefined, { signal }).catch(() => {});
      outcome.clear(signal.aborted ? 'harness' : 'time');
      return { failure: 'the tool server has not answered the call' };
    },
  ),
  serverKind('malformed_reply', 'the call is carried out, but its reply cannot be read', async (call, outcome) => {
    await call.carryOut();
    if (call.signal.aborted) return null;
    outcome.fire({ call: call.number });
    outcome.clear('time');
    return { bytes: MALFORMED };
  }),
] as const;
