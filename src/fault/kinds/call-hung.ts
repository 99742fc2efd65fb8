import { setTimeout as sleep } from 'node:timers/promises';
import { serverKind } from '../server-kind.ts';

export const callHung = serverKind(
  'call_hung',
  'the call is not answered for `ms`, or until the harness gives it up after 30 s',
  async ({ number, signal }, outcome, { ms }) => {
    outcome.fire({ call: number });
    await sleep(ms, undefined, { signal }).catch(() => {});
    outcome.clear(signal.aborted ? 'harness' : 'time');
    return { failure: 'the tool server has not answered the call' };
  },
);
