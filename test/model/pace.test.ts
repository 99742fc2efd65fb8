import { describe, expect, test } from 'vitest';
import { type HttpReply, type Transport, askPatiently, type Retry } from '../../src/model/patient.ts';
import { Pace } from '../../src/model/pace.ts';
import { narrow, OK, REQUEST, tick } from './narrow-provider.ts';

interface Heard {
  waits: number[];
  held: number;
  retries: Retry[];
}

async function ask(
  transport: Transport,
  pace: Pace,
  heard: Heard,
  signal = new AbortController().signal,
): Promise<number> {
  const pause = async (ms: number): Promise<void> => {
    heard.waits.push(ms);
    await tick();
  };
  const wire = { held: () => (heard.held += 1), retried: (retry: Retry) => heard.retries.push(retry) };
  const patience = { callTimeoutMs: 10_000, maxRetries: 2, pace, pause };
  const { reply } = await askPatiently(transport, REQUEST, patience, signal, wire);
  return reply.status;
}

const nothing = (): Heard => ({ waits: [], held: 0, retries: [] });

describe('the pace of a provider', () => {
  test('sixteen workers of one that serves two at once are all answered', async () => {
    const { seen, transport } = narrow(2);
    const [pace, heard] = [new Pace(), nothing()];
    const work = async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (let call = 0; call < 5; call += 1) statuses.push(await ask(transport, pace, heard));
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: 16 }, work))).flat();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(seen.calls - seen.refused).toBe(80);
  });

  test('without a shared pace, some of them are refused for good', async () => {
    const { transport } = narrow(2);
    const asked = Array.from({ length: 16 }, () => ask(transport, new Pace(), nothing()));
    const ended = await Promise.allSettled(asked);
    expect(ended.some(({ status }) => status === 'rejected')).toBe(true);
  });

  test('reports each complaint of the provider, with its wait', async () => {
    const holds: number[] = [];
    const pace = new Pace((ms) => holds.push(ms));
    await ask(narrow(1).transport, pace, nothing());
    expect(holds).toEqual([]);
    await expect(ask(narrow(0).transport, pace, nothing())).rejects.toThrow('429');
    expect(holds).toEqual([1_000, 1_000, 1_000]);
    await expect(ask(narrow(0, { 'retry-after': '7' }).transport, pace, nothing())).rejects.toThrow('429');
    expect(holds.slice(3)).toEqual([7_000, 7_000, 7_000]);
  });

  test('a call that has to wait makes the others wait as long, and does not wait twice', async () => {
    const { transport } = narrow(0, { 'retry-after': '7' });
    const [pace, first, second] = [new Pace(), nothing(), nothing()];
    await expect(ask(transport, pace, first)).rejects.toThrow('429');
    expect(first.waits).toEqual([7_000, 7_000]);
    await expect(ask(transport, pace, second)).rejects.toThrow('429');
    expect(second.waits[0]).toBeGreaterThan(6_000);
    expect(second).toMatchObject({ held: 1, retries: [{ waitMs: 7_000 }, { waitMs: 7_000 }] });
  });

  test('a call given up while it waits leaves the others their turn', async () => {
    const pace = new Pace();
    const { transport } = narrow(0);
    await expect(ask(transport, pace, nothing())).rejects.toThrow('429');
    let answer = (_reply: HttpReply): void => {};
    const slow: Transport = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const [first, stop] = [ask(slow, pace, nothing()), new AbortController()];
    const [givenUp, third] = [ask(slow, pace, nothing(), stop.signal), ask(narrow(1).transport, pace, nothing())];
    await tick();
    stop.abort(new Error('no more'));
    await expect(givenUp).rejects.toThrow('no more');
    answer(OK);
    await expect(first).resolves.toBe(200);
    await expect(third).resolves.toBe(200);
  });
});
