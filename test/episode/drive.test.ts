import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LastMove, SelfDrivingAgent } from '../../src/agent/agent.ts';
import { createRedactor, type Redactor } from '../../src/bundle/redact.ts';
import { drive, type DriveOptions } from '../../src/episode/drive.ts';
import { heardSink } from './heard-sink.ts';
import { seatWith } from '../agent/seat.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';

const CAP_MS = 5_000;
const LONG_MS = 3 * CAP_MS;
const DONE: LastMove = { kind: 'done', answer: null };

// The clock of the tests: nothing here depends on how fast this machine is.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function driving(
  work: SelfDrivingAgent['drive'],
  { redactor = NO_SECRETS, ...options }: Partial<DriveOptions> & { redactor?: Redactor } = {},
) {
  const { brief } = seatWith();
  const driven = drive({
    agent: { id: 'staged', decider: 'process', drive: work },
    brief,
    caps: { ...brief.caps, wall_ms: CAP_MS },
    cdpUrl: 'http://127.0.0.1:9',
    sink: heardSink(() => {}, redactor),
    currentUrl: () => '',
    browser: { condition: () => Promise.resolve('fit'), fault: () => null },
    browserEnded: new Promise(() => {}),
    ...options,
  });
  await vi.runAllTimersAsync();
  return await driven;
}

/** Takes its time, or less when it is stopped. */
async function busy(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

test('an agent has all its time, however long set-up and clean-up take', async () => {
  const trajectory = await driving(async (_seat, report) => {
    await busy(LONG_MS);
    report({ kind: 'begun' });
    await busy(CAP_MS - 1);
    report({ kind: 'ended' });
    await busy(CAP_MS + 1);
    return DONE;
  });
  expect(trajectory).toMatchObject({ stop: 'done', wallMs: CAP_MS - 1 });
});

test('an agent that is silent when its time is up is stopped', async () => {
  const trajectory = await driving(async (_seat, report, signal) => {
    report({ kind: 'begun' });
    await busy(LONG_MS, signal);
    report({ kind: 'ended' });
    return DONE;
  });
  const detail = `the wall cap of ${CAP_MS} ms: it never reported that it was done; it had reported no step`;
  expect(trajectory).toMatchObject({ stop: 'timeout', detail, wallMs: CAP_MS });
});

test('the ending of an agent that answered and hung has its answer, last act and last words', async () => {
  const { stop, detail, answer } = await driving(async (_seat, report, signal) => {
    report({ kind: 'begun' });
    report({ kind: 'step', tool: 'look', args: { at: 'page' }, ok: true, text: '' });
    report({ kind: 'answered', answer: { value: '2031-05-02' } });
    await busy(LONG_MS, signal);
    report({ kind: 'ended' });
    report({ kind: 'printed', text: 'one\n\ntwo\nthree\nfour\n', bytes: 20 });
    return DONE;
  });
  expect({ stop, answer }).toEqual({ stop: 'timeout', answer: null });
  expect(detail).toBe(
    `the wall cap of ${CAP_MS} ms: it had answered "2031-05-02", which does not count, as it never reported that it was done; ` +
      'the last step that it reported was step 1, look {"at":"page"}; it printed last: two / three / four',
  );
});

test('output after the time is up is not among an agent’s last words', async () => {
  const { detail } = await driving(async (_seat, report, signal) => {
    report({ kind: 'begun' });
    await busy(LONG_MS, signal);
    report({ kind: 'answered', answer: { value: 'late' } });
    report({ kind: 'ended' });
    return DONE;
  });
  expect(detail).not.toContain('answered');
});

test('the last words of an agent that wrote at great length are short', async () => {
  const { detail } = await driving(async (_seat, report, signal) => {
    report({ kind: 'begun' });
    report({ kind: 'step', tool: 't'.repeat(9_000), args: {}, ok: true, text: '' });
    report({ kind: 'answered', answer: { value: 'a'.repeat(9_000) } });
    await busy(LONG_MS, signal);
    report({ kind: 'printed', text: 'p'.repeat(9_000), bytes: 9_000 });
    return DONE;
  });
  expect(detail?.length).toBeLessThan(1_200);
});

test('an agent that begins again gains no time', async () => {
  const trajectory = await driving(async (_seat, report, signal) => {
    for (let again = 0; again < 3 && !signal.aborted; again += 1) {
      report({ kind: 'begun' });
      await busy(CAP_MS - 1, signal);
    }
    report({ kind: 'ended' });
    return DONE;
  });
  expect(trajectory).toMatchObject({ stop: 'timeout', wallMs: CAP_MS });
});

test('an agent that never begins is stopped, and has taken no time', async () => {
  const trajectory = await driving(async (_seat, _report, signal) => {
    await busy(100 * LONG_MS, signal);
    return DONE;
  });
  expect(trajectory).toMatchObject({
    stop: 'agent_error',
    detail: 'the agent did not begin within 30000 ms',
    wallMs: 0,
  });
});

test('an agent that cannot be removed has not ended', async () => {
  const trajectory = await driving(async (_seat, report) => {
    report({ kind: 'begun' });
    report({ kind: 'ended' });
    return await new Promise<never>(() => {});
  });
  expect(trajectory).toMatchObject({ stop: 'timeout', detail: 'it did not stop in time' });
});

test('secrets can be removed from an agent’s output before it is cut', async () => {
  const redactor = createRedactor([{ name: 'WORD', value: 'tulip-Harbour-4417' }]);
  const trajectory = await driving(
    (seat) => Promise.resolve({ kind: 'give_up', reason: seat.redact('it said: tulip-Harbour-4417').slice(0, 21) }),
    { redactor },
  );
  expect(trajectory).toMatchObject({ stop: 'gave_up', detail: 'it said: [secret:WORD' });
});

test('the ending reports a connection to the browser that was cut for a fault', async () => {
  const trajectory = await driving(() => Promise.resolve(DONE), {
    browser: { condition: () => Promise.resolve('cut_off'), fault: () => 'it said what no browser says' },
  });
  const detail = 'the connection to the browser was lost: it said what no browser says';
  expect(trajectory).toMatchObject({ stop: 'agent_error', detail });
});
