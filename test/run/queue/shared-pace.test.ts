import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Pace, OwnPace, PACE_RULES } from '../../../src/model/pace.ts';
import { askPatiently, type Retry } from '../../../src/model/patient.ts';
import type { Transport } from '../../../src/model/transport.ts';
import { SharedPace, type SharedPaceOptions } from '../../../src/run/queue/shared-pace.ts';
import { narrow, OK, REQUEST, tick } from '../../model/narrow-provider.ts';
import { startRedis } from './redis-server.ts';

const note = (line: string): void => {
  throw new Error(line);
};

/** A Redis, and what makes the pace of a provider at a machine of its own. */
async function machines() {
  const redis = await startRedis();
  const paceOf = async (options: Partial<SharedPaceOptions> = {}): Promise<SharedPace> => {
    const client = new Redis(redis.address, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on('error', () => {});
    onTestFinished(() => {
      client.disconnect();
    });
    await client.ping();
    const rules = { ...PACE_RULES, callMs: 90_000 };
    return new SharedPace({ client, campaign: 'c'.repeat(64), provider: 'anthropic', rules, note, ...options });
  };
  return { redis, paceOf };
}

/** A provider whose answers are kept until they are let go. */
function slow() {
  const answers: (() => void)[] = [];
  const transport: Transport = () =>
    new Promise((resolve) => {
      answers.push(() => resolve(OK));
    });
  return { answers, transport };
}

interface Heard {
  waits: number[];
  held: string[];
  retries: Retry[];
}
const nothing = (): Heard => ({ waits: [], held: [], retries: [] });

async function ask(
  transport: Transport,
  pace: Pace,
  heard: Heard = nothing(),
  signal = new AbortController().signal,
): Promise<number> {
  const pause = async (ms: number): Promise<void> => {
    heard.waits.push(ms);
    signal.throwIfAborted();
    await tick();
  };
  const wire = { held: (why: string) => heard.held.push(why), retried: (retry: Retry) => heard.retries.push(retry) };
  const patience = { callTimeoutMs: 10_000, maxRetries: 2, pace, pause };
  const { reply } = await askPatiently(transport, REQUEST, patience, signal, wire);
  return reply.status;
}

async function eightMachinesAsk(transport: Transport, paceOf: () => Promise<Pace>): Promise<number[]> {
  const work = async (pace: Pace): Promise<number[]> => {
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) statuses.push(await ask(transport, pace));
    return statuses;
  };
  const paces = await Promise.all(Array.from({ length: 8 }, paceOf));
  return (await Promise.all(paces.map(work))).flat();
}

describe('the pace of a provider that many machines share', () => {
  test('has all of them answered by one that serves two at once', async () => {
    const { paceOf } = await machines();
    const { seen, transport } = narrow(2);
    expect(new Set(await eightMachinesAsk(transport, () => paceOf()))).toEqual(new Set([200]));
    expect(seen.calls - seen.refused).toBe(40);
  });

  test('is missed where each machine has its own: some are refused for good', async () => {
    const { transport } = narrow(2);
    await expect(eightMachinesAsk(transport, async () => new OwnPace())).rejects.toThrow('429');
  });

  test('makes the others wait as long as one is asked to wait, and nobody twice', async () => {
    const { paceOf } = await machines();
    const { transport } = narrow(0, { 'retry-after': '7' });
    const [first, second] = [nothing(), nothing()];
    await expect(ask(transport, await paceOf(), first)).rejects.toThrow('429');
    expect(first.waits.slice(0, 2)).toEqual([7_000, 7_000]);
    await expect(ask(transport, await paceOf(), second)).rejects.toThrow('429');
    expect(second.waits[0]).toBeGreaterThan(5_000);
    expect(second.waits.slice(1)).toEqual([7_000, 7_000]);
    expect(second.held).toEqual([PACE_RULES.held]);
  });

  test('is one of each provider', async () => {
    const { paceOf } = await machines();
    await expect(ask(narrow(0, { 'retry-after': '7' }).transport, await paceOf())).rejects.toThrow('429');
    const other = nothing();
    expect(await ask(narrow(1).transport, await paceOf({ provider: 'openai' }), other)).toBe(200);
    expect(other.held).toEqual([]);
  });

  test('lets one at a time through after a complaint, and the next once that one is answered or given up', async () => {
    const { paceOf } = await machines();
    await expect(ask(narrow(0).transport, await paceOf())).rejects.toThrow('429');
    const { answers, transport } = slow();
    const [first, second, third] = [nothing(), nothing(), nothing()];
    const answered = ask(transport, await paceOf(), first);
    await expect.poll(() => answers.length).toBe(1);
    const stop = new AbortController();
    const givenUp = ask(transport, await paceOf(), second, stop.signal);
    const next = ask(transport, await paceOf(), third);
    await expect.poll(() => second.held.length > 0 && third.held.length > 0).toBe(true);
    expect(answers).toHaveLength(1);
    stop.abort(new Error('no more'));
    await expect(givenUp).rejects.toThrow('no more');
    answers[0]?.();
    expect(await answered).toBe(200);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    expect(await next).toBe(200);
  });

  test('frees the place of a call whose worker is lost, once the call must be over', async () => {
    const { paceOf } = await machines();
    await expect(ask(narrow(0).transport, await paceOf())).rejects.toThrow('429');
    const { answers, transport } = slow();
    // It must be over at once.
    const lost = ask(transport, await paceOf({ rules: { ...PACE_RULES, callMs: -20_000 } }));
    await expect.poll(() => answers.length).toBe(1);
    const other = ask(transport, await paceOf());
    await expect.poll(() => answers.length).toBe(2);
    for (const answer of answers) answer();
    expect(await Promise.all([lost, other])).toEqual([200, 200]);
  });

  test('lets nobody call while its Redis is away, and says that this is why they wait', async () => {
    const { redis, paceOf } = await machines();
    const pace = await paceOf({ silentMs: 20 });
    await redis.stop('SIGKILL');
    const [heard, { seen, transport }] = [nothing(), narrow(1)];
    const asking = ask(transport, pace, heard);
    await expect.poll(() => heard.held).toEqual(['the Redis of the queue does not answer']);
    expect(seen.calls).toBe(0);
    await redis.start();
    expect(await asking).toBe(200);
  });
});
