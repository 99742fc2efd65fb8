import { expect, test } from 'vitest';
import type { Place } from '../../../src/episode/place.ts';
import { FaultyServer } from '../../../src/episode/stress/faulty-server.ts';
import { type FaultEvent, FaultRecord } from '../../../src/fault/fault-record.ts';
import { ArmedFault, faultKindOf } from '../../../src/fault/schema.ts';
import type { SurfaceSession } from '../../../src/surface/surface.ts';
import type { ToolReply } from '../../../src/task/tool.ts';
import { NEVER, seatWith } from '../../agent/seat.ts';
import { NO_PORTS } from '../../fault/no-ports.ts';
import { deferred } from '../../world/deferred.ts';

const LOOK = { tool: 'look', args: {} };
const SEEN: ToolReply = { ok: true, kind: 'text', text: 'a button' };

function server(reply: () => Promise<ToolReply>, closed: () => void = () => {}): SurfaceSession {
  const close = () => {
    closed();
    return Promise.resolve();
  };
  return { tools: [], call: reply, bind: seatWith().bind, close };
}

/** A server with a fault in its first call, which is started again like this. */
function faulty(kind: string, first: SurfaceSession, openSurface: Place['openSurface'], ms = 1) {
  const events: FaultEvent[] = [];
  const fault = ArmedFault.parse({ id: 'f', kind, call: 1, ms });
  const record = new FaultRecord(fault, (event) => events.push(event));
  const { inCall = () => Promise.resolve(null) } = faultKindOf(fault).inject(fault, record, NO_PORTS);
  return { events, record, session: new FaultyServer(first, inCall, { openSurface }) };
}

test('a server that is restarting when the episode ends is closed, and its fault has not been cleared', async () => {
  const [opening, opened] = [deferred<void>(), deferred<SurfaceSession>()];
  let isClosed = false;
  const { session, events } = faulty(
    'server_killed',
    server(() => Promise.resolve(SEEN)),
    () => {
      opening.resolve();
      return opened.promise;
    },
  );
  const calling = session.call(LOOK, NEVER);
  await opening.promise;
  const ending = session.end();
  opened.resolve(
    server(
      () => Promise.resolve(SEEN),
      () => {
        isClosed = true;
      },
    ),
  );
  await ending;
  expect(isClosed).toBe(true);
  await calling;
  expect(events.map(({ type }) => type)).toEqual(['fault.armed', 'fault.fired']);
});

test('a server that obeys its signal is ended while it starts', async () => {
  const opening = deferred<void>();
  const { session } = faulty(
    'server_killed',
    server(() => Promise.resolve(SEEN)),
    (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('it was ended while it started'));
        });
        opening.resolve();
      }),
  );
  const calling = session.call(LOOK, NEVER);
  await opening.promise;
  await session.end();
  expect(await calling).toMatchObject({ ok: false, text: expect.stringContaining('it was ended while it started') });
});

test('no server is restarted after the episode, however late the call ends', async () => {
  const [killed, replied] = [deferred<void>(), deferred<ToolReply>()];
  let starts = 0;
  const first = server(
    () => replied.promise,
    () => {
      killed.resolve();
    },
  );
  const { session } = faulty('server_killed', first, () => {
    starts += 1;
    return Promise.reject(new Error('was started'));
  });
  const calling = session.call(LOOK, NEVER);
  await killed.promise;
  const ending = session.end();
  replied.resolve(SEEN);
  await Promise.all([ending, calling]);
  expect(starts).toBe(0);
});

test('a restarted server that runs is closed once', async () => {
  let times = 0;
  const again = server(
    () => Promise.resolve(SEEN),
    () => {
      times += 1;
    },
  );
  const first = server(() => Promise.resolve(SEEN));
  const { session, events } = faulty('server_killed', first, () => Promise.resolve(again));
  await session.call(LOOK, NEVER);
  expect(await session.call(LOOK, NEVER)).toEqual(SEEN);
  await session.close();
  await session.end();
  expect(times).toBe(1);
  expect(events.map(({ type }) => type)).toEqual(['fault.armed', 'fault.fired', 'fault.cleared']);
});

test('a malformed reply that is no longer awaited has not fired', async () => {
  const cap = new AbortController();
  const first = server(() => {
    cap.abort();
    return Promise.resolve(SEEN);
  });
  const { session, events } = faulty('malformed_reply', first, () => Promise.resolve(first));
  await session.call(LOOK, cap.signal);
  expect(events.map(({ type }) => type)).toEqual(['fault.armed']);
});

test.each([
  ['the cap', AbortSignal.abort(), 60_000, 'harness'],
  ['its time', NEVER, 1, 'time'],
])('a call that hangs until %s is over is cleared by that', async (_what, signal, ms, by) => {
  const first = server(() => Promise.resolve(SEEN));
  const notAgain = () => Promise.reject(new Error('nothing is started again'));
  const { session, events } = faulty('call_hung', first, notAgain, ms);
  await session.call(LOOK, signal);
  expect(events.at(-1)).toEqual({ type: 'fault.cleared', id: 'f', by });
});
