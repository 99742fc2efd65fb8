import { serverKind } from '../server-kind.ts';

export const serverKilled = serverKind(
  'server_killed',
  'the server ends while the call is under way, and is started again with the same page; the reply says so',
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
);
