import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { calls, fakeAnthropic, message, use } from '../model/fake-anthropic.ts';
import { type Answer, hang, status } from '../model/fake-provider.ts';
import { startRedis } from '../queue/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ledgerOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startFromSources } from './touchstone-process.ts';

const KEY = 'sk-ant-test-0123456789';
/** A reply of the greatest length, which ends its episode; and its price, also that of the question before the first episode. */
const DEAR: Answer = message({ content: [use('done', { answer: 'none' })], usage: { output_tokens: 2_048 } });
const DEAR_USD = 0.03102;
const READY = calls(['touchstone_ready', {}]);
const FIRST_USD = 0.00045;
/** Of the campaign, and of each of its eight episodes. */
const CAP_USD = 0.2;
const EPISODE_USD = 0.05;
const CAMPAIGN = `suites: [basics]
tasks: [example-h1]
agents: [claude-sonnet-4-6]
surfaces: [aria]
iterations: 8
max_usd: ${CAP_USD}
max_episode_usd: ${EPISODE_USD}
`;
/** Episodes that the cap covers after this much was spent: the next does not begin if it might exceed the cap. */
const coveredAfter = (usd: number): number => Math.floor((CAP_USD - EPISODE_USD - usd) / DEAR_USD) + 1;

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
});
async function fakeThatSays(script: readonly Answer[]) {
  const fake = await fakeAnthropic(script, READY);
  onTestFinished(async () => fake.close());
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  return fake;
}

function startWorker(address: string, ...args: string[]) {
  const worker = startFromSources('worker', '--queue', address, ...args);
  onTestFinished(async () => {
    worker.kill('SIGKILL');
    await worker.ended;
  });
  return worker;
}

async function campaignIn(address: string) {
  const folder = await temporaryFolder();
  const [bundle, file] = [path.join(folder, 'bundle'), path.join(folder, 'campaign.yaml')];
  await writeFile(file, CAMPAIGN);
  const through = ['--yes', '--queue', address];
  return {
    bundle,
    words: ['run', '--campaign', file, ...through, '--out', bundle],
    resume: ['run', '--resume', bundle, ...through],
  };
}

test('workers begin no episode that the rest of the cap does not cover; the campaign pauses, and a higher cap goes on', async () => {
  const { address } = await startRedis();
  const fake = await fakeThatSays(Array.from({ length: 16 }, () => DEAR));
  const workers = [startWorker(address, '--workers', '2'), startWorker(address, '--workers', '2')];
  const { bundle, words, resume } = await campaignIn(address);
  const covered = coveredAfter(FIRST_USD);
  const usd = Number((FIRST_USD + covered * DEAR_USD).toFixed(4));
  expect(usd).toBeLessThanOrEqual(CAP_USD);
  const why = `${usd} of ${CAP_USD} USD are spent, and an episode may cost ${EPISODE_USD} USD`;
  expect(await touchstone(...words)).toMatchObject({ exit: 4, out: expect.stringContaining(why) });
  expect(fake.asked).toHaveLength(covered);
  const ledger = await ledgerOf(bundle);
  expect(ledger.filter(({ kind }) => kind === 'sealed')).toHaveLength(covered);
  expect(ledger.filter(({ kind }) => kind === 'voided')).toEqual([]);
  expect(ledger.at(-1)).toMatchObject({ kind: 'paused', cause: 'budget', why });
  // The cap holds on a resume that names no other.
  expect(await touchstone(...resume)).toMatchObject({ exit: 4 });
  expect(fake.asked).toHaveLength(covered);
  const resumed = await touchstone(...resume, '--max-usd', '1');
  expect([resumed.exit, fake.asked.length]).toEqual([1, 8]);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  for (const worker of workers) worker.kill('SIGINT');
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
});

test('a worker takes no episode that its own cap does not cover, and another worker runs the rest', async () => {
  const { address } = await startRedis();
  const fake = await fakeThatSays(Array.from({ length: 16 }, () => DEAR));
  const { bundle, words } = await campaignIn(address);
  const coordinator = startFromSources(...words, '--max-usd', '1');
  onTestFinished(() => void coordinator.kill('SIGKILL'));
  const own = 0.142;
  expect(own).toBeLessThan(3 * DEAR_USD + EPISODE_USD);
  startWorker(address, '--max-usd', String(own));
  await coordinator.says(`of ${own} USD are spent`);
  expect(fake.asked).toHaveLength(3);
  startWorker(address);
  expect([await coordinator.ended, fake.asked.length]).toEqual([1, 8]);
  expect((await ledgerOf(bundle)).filter(({ kind }) => kind === 'voided')).toEqual([]);
});

test.each(['worker', 'coordinator', 'Redis'])(
  'a %s that is killed during a call frees no money: the allowance of its episode counts as spent',
  async (victim) => {
    const redis = await startRedis();
    const fake = await fakeThatSays([hang, ...Array.from({ length: 16 }, () => DEAR)]);
    const { bundle, words, resume } = await campaignIn(redis.address);
    let coordinator = startFromSources(...words);
    onTestFinished(() => void coordinator.kill('SIGKILL'));
    const first = startWorker(redis.address, '--lost-after', '3');
    await expect.poll(() => fake.asked.length).toBe(1);
    if (victim === 'coordinator') {
      coordinator.kill('SIGKILL');
      await coordinator.ended;
      coordinator = startFromSources(...resume);
    }
    if (victim === 'Redis') {
      await redis.stop('SIGKILL');
      await redis.start();
    } else first.kill('SIGKILL');
    startWorker(redis.address, '--lost-after', '3');
    expect(await coordinator.ended).toBe(4);
    const covered = coveredAfter(FIRST_USD + EPISODE_USD);
    expect(fake.asked).toHaveLength(1 + covered);
    const ledger = await ledgerOf(bundle);
    expect(ledger.filter(({ kind }) => kind === 'voided')).toHaveLength(1);
    expect(ledger.filter(({ kind }) => kind === 'sealed')).toHaveLength(covered);
    const usd = FIRST_USD + EPISODE_USD + covered * DEAR_USD;
    expect(ledger.at(-1)).toMatchObject({
      kind: 'paused',
      why: expect.stringContaining(`${Number(usd.toFixed(4))} of ${CAP_USD} USD are spent`),
    });
  },
);

test('when a provider complains to one worker, none of them takes an episode meanwhile, and repeated calls are answered', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const { address } = await startRedis();
  const client = new Redis(address);
  onTestFinished(() => {
    client.disconnect();
  });
  /** Whether no worker takes a job for longer than a queue without complaints would hold one back. */
  const areHeld = async (): Promise<boolean> => {
    const [limiter = 'none'] = await client.keys('touchstone:*:limiter');
    return (await client.pttl(limiter)) > 1_000;
  };
  const onceHeard = async (response: Parameters<Answer>[0]): Promise<void> => {
    await vi.waitUntil(areHeld, { timeout: 60_000, interval: 50 });
    DEAR(response);
  };
  const script = [
    status(429, 'slow down', { 'retry-after': '5' }),
    (response: Parameters<Answer>[0]) => void onceHeard(response),
  ];
  const fake = await fakeThatSays([...script, ...Array.from({ length: 6 }, () => DEAR)]);
  const workers = [startWorker(address), startWorker(address)];
  const ran = await touchstone(
    'run',
    'basics',
    '--task',
    'example-h1',
    '--agent',
    'claude-sonnet-4-6',
    '--yes',
    '-n',
    '4',
    '--queue',
    address,
    '--out',
    bundle,
  );
  expect([ran.exit, fake.asked.length]).toEqual([1, 5]);
  expect((await ledgerOf(bundle)).filter(({ kind }) => kind === 'sealed')).toHaveLength(4);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  for (const worker of workers) worker.kill('SIGINT');
  await Promise.all(workers.map(({ ended }) => ended));
});
