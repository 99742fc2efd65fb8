import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { LedgerRecord } from '../../src/bundle/ledger-record.ts';
import { calls, fakeAnthropic, message, use } from '../model/fake-anthropic.ts';
import { type Answer, hang, status } from '../model/fake-provider.ts';
import { startRedis } from '../run/queue/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';
import { startFromSources } from './touchstone-process.ts';

const KEY = 'sk-ant-test-0123456789';
const TASK = ['run', 'basics', '--task', 'example-h1', '--agent', 'claude-sonnet-4-6', '--yes'];
/** A reply as long as one may be, which ends its episode; and what it costs by the table of prices, as does the question before the first episode. */
const DEAR: Answer = message({ content: [use('done', { answer: 'none' })], usage: { output_tokens: 2_048 } });
const DEAR_USD = 0.03102;
const READY = calls(['touchstone_ready', {}]);
const FIRST_USD = 0.00045;
/** A call reserves more than half of it. */
const CAP = 0.09;

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function fakeThatSays(script: readonly Answer[]) {
  const fake = await fakeAnthropic(script, READY);
  onTestFinished(async () => fake.close());
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  return fake;
}

/** A worker of its own process, which is gone with the test. */
function startWorker(address: string, ...args: string[]) {
  const worker = startFromSources('worker', '--queue', address, ...args);
  onTestFinished(async () => {
    worker.kill('SIGKILL');
    await worker.ended;
  });
  return worker;
}

async function ledgerOf(bundle: string): Promise<LedgerRecord[]> {
  const lines = (await readFile(path.join(bundle, 'ledger.jsonl'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The runs of attempts that are under way, as `<spent> <held>` in USD. */
async function runsIn(address: string): Promise<string[]> {
  const client = new Redis(address);
  const keys = await client.keys('touchstone:money:*:runs');
  const said = await Promise.all(keys.map((key) => client.hvals(key)));
  client.disconnect();
  return said.flat();
}

/** Answers when another call has come beside it, or waits for the money that this one holds. */
function besideAnother(address: string): Answer {
  let atOnce = 0;
  const isSettled = async (): Promise<boolean> => atOnce > 1 || (await runsIn(address)).includes('0 0');
  const answer = async (response: Parameters<Answer>[0]): Promise<void> => {
    atOnce += 1;
    await vi.waitUntil(isSettled, { timeout: 60_000, interval: 50 });
    DEAR(response);
    atOnce -= 1;
  };
  return (response) => void answer(response);
}

test('two workers pass the cap of their campaign by one reply at most; it pauses, and a higher cap goes on', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const { address } = await startRedis();
  const beside = besideAnother(address);
  const fake = await fakeThatSays([beside, beside, beside, ...Array.from({ length: 13 }, () => DEAR)]);
  const workers = [startWorker(address, '--workers', '2'), startWorker(address, '--workers', '2')];
  const through = ['--queue', address];
  const spent = await touchstone(...TASK, '-n', '8', '--max-usd', String(CAP), ...through, '--out', bundle);
  expect(spent).toMatchObject({ exit: 4, out: expect.stringMatching(/paused +0\.0935 of 0\.09 USD are spent/) });
  expect(fake.asked).toHaveLength(3);
  const ledger = await ledgerOf(bundle);
  expect(ledger.filter(({ kind }) => kind === 'sealed')).toHaveLength(3);
  expect(ledger.at(-1)).toMatchObject({ kind: 'paused', cause: 'budget' });
  const voided = ledger.filter((each) => each.kind === 'voided');
  expect(voided.map(({ interruption }) => interruption)).toEqual(voided.map(() => 'budget'));
  // The cap holds on a resume that names no other, and on one by a coordinator that was not told of it.
  expect(await touchstone('run', '--resume', bundle, '--yes', ...through)).toMatchObject({ exit: 4 });
  expect(fake.asked).toHaveLength(3);
  const resumed = await touchstone('run', '--resume', bundle, '--yes', '--max-usd', '1', ...through);
  expect([resumed.exit, fake.asked.length]).toEqual([1, 8]);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  for (const worker of workers) worker.kill('SIGINT');
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  const client = new Redis(address);
  expect(await client.keys('touchstone:money:*')).toEqual([]);
  client.disconnect();
});

test('a worker that is killed in the midst of a call frees no money: what it held is spent', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const fake = await fakeThatSays([hang, ...Array.from({ length: 16 }, () => DEAR)]);
  const { address } = await startRedis();
  const args = [...TASK, '-n', '8', '--max-usd', String(CAP), '--queue', address, '--out', bundle];
  const coordinator = startFromSources(...args);
  const doomed = startWorker(address, '--lost-after', '3');
  await expect.poll(() => fake.asked.length).toBe(1);
  const [held = 0] = (await runsIn(address)).map((said) => Number(said.split(' ')[1]));
  expect(held).toBeGreaterThan(CAP / 2);
  doomed.kill('SIGKILL');
  await doomed.ended;
  startWorker(address, '--lost-after', '3');
  expect(await coordinator.ended).toBe(4);
  const left = CAP - held - FIRST_USD;
  expect(fake.asked).toHaveLength(1 + Math.ceil(left / DEAR_USD));
  const ledger = await ledgerOf(bundle);
  expect(ledger.find(({ kind }) => kind === 'voided')).toMatchObject({ why: 'its worker was lost' });
  const usd = held + FIRST_USD + DEAR_USD * Math.ceil(left / DEAR_USD);
  expect(ledger.at(-1)).toMatchObject({ kind: 'paused', why: `${Number(usd.toFixed(4))} of ${CAP} USD are spent` });
});

test('when a provider complains to one worker, all of them hear it, and what is asked for again is answered', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const { address } = await startRedis();
  const client = new Redis(address);
  onTestFinished(() => {
    client.disconnect();
  });
  const heard = async (): Promise<string | null> => {
    const keys = await client.keys('touchstone:pace:*');
    return await client.hget(keys.find((each) => !each.endsWith(':calls')) ?? 'none', 'anthropic:complaints');
  };
  const onceHeard = async (response: Parameters<Answer>[0]): Promise<void> => {
    await vi.waitUntil(async () => (await heard()) === '1', { timeout: 60_000, interval: 50 });
    DEAR(response);
  };
  const script = [
    status(429, 'slow down', { 'retry-after': '0' }),
    (response: Parameters<Answer>[0]) => void onceHeard(response),
  ];
  const fake = await fakeThatSays([...script, ...Array.from({ length: 6 }, () => DEAR)]);
  const workers = [startWorker(address), startWorker(address)];
  const ran = await touchstone(...TASK, '-n', '4', '--queue', address, '--out', bundle);
  expect([ran.exit, fake.asked.length]).toEqual([1, 5]);
  expect((await ledgerOf(bundle)).filter(({ kind }) => kind === 'sealed')).toHaveLength(4);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  for (const worker of workers) worker.kill('SIGINT');
  await Promise.all(workers.map(({ ended }) => ended));
  expect(await heard()).toBeNull();
});
