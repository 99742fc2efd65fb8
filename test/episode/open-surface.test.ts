import { expect, test } from 'vitest';
import { openSurface } from '../../src/episode/open-surface.ts';
import type { SurfaceSession } from '../../src/surface/surface.ts';
import { deferred } from '../world/deferred.ts';

function sessionThat(close: () => Promise<void>): SurfaceSession {
  const call = () => Promise.resolve({ ok: true, kind: 'text', text: '' });
  return { tools: [], call, bind: () => ({ kind: 'impossible', why: '' }), close };
}

test('a surface that opens in time is open', async () => {
  const session = sessionThat(() => Promise.reject(new Error('closed')));
  expect(await openSurface({ openSurface: () => Promise.resolve(session) })).toEqual({ surface: session });
});

test('a surface that opens too late is closed when it does', async () => {
  const [opened, closed] = [deferred<SurfaceSession>(), deferred<void>()];
  const place = { openSurface: () => opened.promise };
  expect(await openSurface(place, { openMs: 1, endMs: 1 })).toEqual({
    failure: 'the surface did not open within 1 ms',
  });
  opened.resolve(
    sessionThat(() => {
      closed.resolve();
      return Promise.resolve();
    }),
  );
  await closed.promise;
});

test('a process for a surface that does not open in time is ended before anything else begins', async () => {
  let isGone = false;
  const place = {
    openSurface: (signal: AbortSignal) =>
      new Promise<SurfaceSession>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          setImmediate(() => {
            isGone = true;
            reject(new Error('it was ended while it started'));
          });
        });
      }),
  };
  const opened = await openSurface(place, { openMs: 1, endMs: 60_000 });
  expect(isGone).toBe(true);
  expect(opened).toEqual({ failure: 'the surface could not be opened: it was ended while it started' });
});

test('a surface that throws before it begins to open is reported', async () => {
  const place = {
    openSurface: () => {
      throw new Error('no display');
    },
  };
  expect(await openSurface(place)).toEqual({ failure: 'the surface could not be opened: no display' });
});
