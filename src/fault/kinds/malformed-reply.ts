import { serverKind } from '../server-kind.ts';

/** A reply of a shape that no reply has. */
const MALFORMED = '{"ok":"perhaps","content":"all done"}';

export const malformedReply = serverKind(
  'malformed_reply',
  'the call is carried out, and its reply cannot be read',
  async (call, outcome) => {
    await call.carryOut();
    // Its caller has given up.
    if (call.signal.aborted) return null;
    outcome.fire({ call: call.number });
    outcome.clear('time');
    return { bytes: MALFORMED };
  },
);
