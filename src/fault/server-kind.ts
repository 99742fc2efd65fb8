import { z } from 'zod';
import { type FaultKind, whyNotInCalls } from './fault-kind.ts';
import { FaultCount, Drawn, id, Milliseconds } from './fields.ts';
import type { FaultOutcome } from './injection.ts';
import type { ReplyInstead, ServerCall } from './ports.ts';

const FIELDS = {
  /** The tool call that it befalls, counted from 1. */
  call: Drawn.default(2),
  /** For `call_hung`: the time after which it is given up, in ms; the harness's own limit is as long as ever. */
  ms: Milliseconds.default(60_000),
};
const Written = z.strictObject({ id, ...FIELDS });
const Armed = Written.extend({ call: FaultCount });
type Written = z.infer<typeof Written>;
type ArmedServerFault = z.infer<typeof Armed>;

/** Deals with the call; null: the server's own reply stands. */
type Deal = (call: ServerCall, outcome: FaultOutcome, fault: ArmedServerFault) => Promise<ReplyInstead | null>;

/** A kind that befalls the tool server in the nth tool call. */
export function serverKind<const K extends string>(kind: K, about: string, deal: Deal) {
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
