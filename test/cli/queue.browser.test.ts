import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { chromiumProcessesOf } from '../browser/traces.ts';
import { startRedis } from '../queue/redis-server.ts';
import { BUCKET, KEY, startS3 } from '../queue/s3-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ledgerOf, outcomeHash, rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstone, startTouchstoneWith } from './touchstone-process.ts';

const BASICS = ['run', 'basics', '--agent', 'transcript'];
const FIVE = [...BASICS, '--task', 'dialog-delete,example-h1,late-order,local-form-submit,shadow-subscribe'];
const TWO = [...BASICS, '--task', 'example-h1,late-order'];

/** The outcome hash of the five tasks in one process, which no test changes. */
let alone = '';
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  await touchstone(...FIVE, '--out', path.join(folder, 'alone'));
  alone = await outcomeHash(path.join(folder, 'alone'));
  await rm(folder, { recursive: true });
});

function startWorker(address: string, ...args: string[]) {
  return startWorkerWith({}, address, ...args);
}

function startWorkerWith(variables: Readonly<Record<string, string>>, address: string, ...args: string[]) {
  const worker = startTouchstoneWith(variables, 'worker', '--queue', address, ...args);
  onTestFinished(async () => {
    worker.kill('SIGKILL');
    await worker.ended;
  });
  return worker;
}

function redisOf(address: string): Redis {
  const client = new Redis(address);
  onTestFinished(() => {
    client.disconnect();
  });
  return client;
}

test('two workers have the outcome of one process, although one was killed in an episode', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const { address } = await startRedis();
  const coordinator = startTouchstone(...FIVE, '--queue', address, '--out', through);
  const doomed = startWorker(address, '--lost-after', '5');
  await doomed.says('run in');
  doomed.kill('SIGKILL');
  await doomed.ended;
  const other = startWorker(address, '--lost-after', '5', '--idle', '2');
  expect(await coordinator.ended).toBe(0);
  expect(await other.ended).toBe(0);

  expect(await outcomeHash(through)).toBe(alone);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
  const rows = await rowsOf(through);
  expect(rows.map(({ plan_index: place }) => place)).toEqual([0, 1, 2, 3, 4]);
  expect(rows.every(({ concurrency }) => concurrency?.load_average === null)).toBe(true);
  const voided = (await ledgerOf(through)).filter(({ kind }) => kind === 'voided');
  expect(voided).toMatchObject([{ attempt: 1, why: 'its worker was lost' }]);
  await expect.poll(() => chromiumProcessesOf(other.pid)).toEqual([]);
  const client = redisOf(address);
  for (const key of await client.keys('*')) expect([key, await client.ttl(key)]).not.toEqual([key, -1]);
});

test('a killed coordinator goes on with its episodes and the same workers', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const { address } = await startRedis();
  const killed = startTouchstone(...FIVE, '--queue', address, '--out', through);
  const worker = startWorker(address, '--workers', '2');
  await killed.says('2/5');
  killed.kill('SIGKILL');
  await killed.ended;
  const resumed = await touchstone('run', '--resume', through, '--queue', address);
  expect(resumed).toMatchObject({
    exit: 0,
    err: expect.stringMatching(/5 episodes planned, [2-4] of them already done/),
  });
  expect(await outcomeHash(through)).toBe(alone);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
  const ledger = await ledgerOf(through);
  expect(ledger.filter(({ kind }) => kind === 'sealed')).toHaveLength(5);
  worker.kill('SIGINT');
  expect(await worker.ended).toBe(0);
});

test('a Redis that forgets everything and returns loses nothing', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const redis = await startRedis();
  const coordinator = startTouchstone(...FIVE, '--queue', redis.address, '--out', through);
  const worker = startWorker(redis.address, '--lost-after', '5');
  await coordinator.says('2/5');
  await redis.stop('SIGKILL');
  await Promise.all([coordinator.says('does not answer'), worker.says('does not answer')]);
  await redis.start();
  expect(await coordinator.ended).toBe(0);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
  expect((await rowsOf(through)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'passed'));
});

test('a worker given up as lost that returns adds nothing: its attempt stays void', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const { address } = await startRedis();
  const coordinator = startTouchstone(...TWO, '--verbose', '--queue', address, '--out', through);
  const late = startWorker(address, '--lost-after', '3');
  await late.says('run in');
  late.kill('SIGSTOP');
  const other = startWorker(address, '--lost-after', '3', '--idle', '2');
  expect(await coordinator.ended).toBe(0);
  late.kill('SIGCONT');
  expect(await other.ended).toBe(0);
  const ledger = await ledgerOf(through);
  const ends = ledger.flatMap((each) =>
    'attempt' in each && each.kind !== 'started' ? [`${each.kind} ${each.attempt}`] : [],
  );
  expect(ends.toSorted()).toEqual(['sealed 1', 'sealed 2', 'voided 1']);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
});

test('a queue with TLS is used as a user with no other rights, whose password is never printed', async () => {
  const folder = await temporaryFolder();
  const tls = { key: path.join(folder, 'key.pem'), cert: path.join(folder, 'cert.pem') };
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1', '-nodes'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject];
  await promisify(execFile)('openssl', [...made, '-keyout', tls.key, '-out', tls.cert]);
  const may = 'on >hush-4711 ~touchstone:* &* +@all -@admin -@dangerous +info +keys';
  const { address } = await startRedis({
    tls,
    words: ['--user', 'default', 'off', '--user', 'touchstone', ...may.split(' ')],
  });
  const variables = {
    NODE_EXTRA_CA_CERTS: tls.cert,
    TOUCHSTONE_QUEUE_USER: 'touchstone',
    TOUCHSTONE_QUEUE_PASSWORD: 'hush-4711',
  };
  const through = path.join(folder, 'through');
  const stranger = startTouchstone(...TWO, '--queue', address, '--out', path.join(folder, 'stranger'));
  expect(await stranger.ended).toBe(3);
  const coordinator = startTouchstoneWith(variables, ...TWO, '--queue', address, '--out', through);
  const worker = startWorkerWith(variables, address);
  expect(await coordinator.ended).toBe(0);
  worker.kill('SIGINT');
  expect(await worker.ended).toBe(0);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
  expect(`${coordinator.said()}${worker.said()}`).not.toContain('hush-4711');
});

test('evidence goes through a bucket that is away for a while, and no attempt is lost', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const { address } = await startRedis();
  const s3 = await startS3();
  const store = ['--store', `s3://${BUCKET}/campaigns/the first`];
  const coordinator = startTouchstoneWith(s3.variables, ...FIVE, '--queue', address, ...store, '--out', through);
  const worker = startWorkerWith(s3.variables, address, ...store);
  await coordinator.says('2/5');
  await s3.stop();
  await worker.says('is away (');
  await s3.start();
  await worker.says('is back');
  expect(await coordinator.ended).toBe(0);
  worker.kill('SIGINT');
  expect(await worker.ended).toBe(0);

  expect(await outcomeHash(through)).toBe(alone);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
  expect((await ledgerOf(through)).filter(({ kind }) => kind === 'voided')).toEqual([]);
  expect(await redisOf(address).keys('touchstone:blob:*')).toEqual([]);
  const ofBundle = await readdir(through, { recursive: true, withFileTypes: true });
  const files = ofBundle.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  const texts = await Promise.all(files.map(async (file) => readFile(file, 'latin1')));
  expect([coordinator.said(), worker.said(), ...texts].filter((text) => text.includes(KEY))).toEqual([]);
});

test('a campaign stays open to workers while its store is away', async () => {
  const { address } = await startRedis();
  const s3 = await startS3();
  const through = path.join(await temporaryFolder(), 'through');
  const store = ['--store', `s3://${BUCKET}`];
  const coordinator = startTouchstoneWith(s3.variables, ...TWO, '--queue', address, ...store, '--out', through);
  onTestFinished(async () => {
    coordinator.kill('SIGKILL');
    await coordinator.ended;
  });
  const client = redisOf(address);
  const open = async () => client.keys('touchstone:open:*');
  await expect.poll(open).toHaveLength(1);
  await s3.stop();
  await coordinator.says('is away (');
  // As after a while without messages about the campaign.
  await client.del(await open());
  await expect.poll(open).toHaveLength(1);
});

test('a worker whose keys to a bucket were revoked reports it, and leaves the rest to others', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const { address } = await startRedis();
  const [s3, passing] = [await startS3(), await startS3()];
  const store = ['--store', `s3://${BUCKET}`];
  const coordinator = startTouchstoneWith(s3.variables, ...FIVE, '--queue', address, ...store, '--out', through);
  const expiring = { ...passing.variables, AWS_ENDPOINT_URL_S3: s3.variables['AWS_ENDPOINT_URL_S3'] ?? '' };
  const worker = startWorkerWith(expiring, address, ...store);
  await worker.says('run in');
  passing.revoke();
  await coordinator.says('refuses the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: 403');
  await worker.says('nothing is run of campaign');
  startWorkerWith(s3.variables, address, ...store);
  expect(await coordinator.ended).toBe(0);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
});

test('keys unknown to a bucket end a worker before it takes anything', async () => {
  const s3 = await startS3();
  const strange = { ...s3.variables, AWS_ACCESS_KEY_ID: 'nobody' };
  const worker = startWorkerWith(strange, 'redis://127.0.0.1:1', '--store', `s3://${BUCKET}`);
  expect(await worker.ended).toBe(2);
  expect(worker.said()).toContain(
    'refuses the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: 403 InvalidAccessKeyId',
  );
  expect(worker.said()).not.toContain(KEY);
});

test('messages that anyone may have written are refused, and change nothing', async () => {
  const through = path.join(await temporaryFolder(), 'through');
  const { address } = await startRedis();
  const client = redisOf(address);
  const coordinator = startTouchstone(...TWO, '--queue', address, '--out', through);
  await coordinator.says('2 episodes planned');
  await expect.poll(() => client.keys('touchstone:open:*')).toHaveLength(1);
  const [open = ''] = await client.keys('touchstone:open:*');
  const key = open.slice('touchstone:open:'.length);
  const queue = new Queue(key, { connection: client, prefix: 'touchstone' });
  // The campaign is open before its jobs are there.
  await expect.poll(() => queue.getPrioritized()).toHaveLength(2);
  const [first] = await queue.getPrioritized();
  // A job without a priority is taken before all others: the campaign may end with its own.
  const forge = async (jobId: string, data: object) => queue.add('attempt', data, { jobId });
  await forge('forged-1', { ...first?.data, command: 'touch /tmp/ran' });
  await forge('forged-2', { ...first?.data, episode_id: '../../../tmp' });
  await forge(`${'f'.repeat(32)}-1`, { ...first?.data, episode_id: 'f'.repeat(32) });
  await forge('forged-4', first?.data);
  // Results of a job that has not begun, and of one that has ended.
  const end = async () =>
    client.xadd(
      `touchstone:${key}:events`,
      '*',
      ...Object.entries({
        event: 'completed',
        jobId: String(first?.id),
        returnvalue: JSON.stringify({ ...first?.data, events: 'a'.repeat(64), transcript: 'b'.repeat(64) }),
      }).flat(),
    );
  await end();
  // A campaign that names no code that this worker has is none that it runs anything of.
  await client.set('touchstone:open:x', JSON.stringify({ command: 'touch /tmp/ran' }));
  const strange = { ...JSON.parse((await client.get(open)) ?? ''), code: 'f'.repeat(64), campaign: 'e'.repeat(64) };
  strange.session = '3b0e3f6e-51b2-4f0c-9d0e-0d6c8a2f4b11';
  await client.set(`touchstone:open:${'e'.repeat(64)}`, JSON.stringify(strange));

  const worker = startWorker(address);
  await coordinator.says('1/2');
  await end();
  expect(await coordinator.ended).toBe(0);
  await worker.says('runs different code from its coordinator');
  for (const why of [
    'the message is not a job',
    'the episode is not in the plan',
    'the job does not have the name of its attempt',
  ]) {
    expect(worker.said()).toContain(`refused: ${why}`);
    expect(coordinator.said()).toContain(`refused: ${why}`);
  }
  expect(await client.lrange(`touchstone:refused:${'e'.repeat(64)}`, 0, -1)).toHaveLength(1);
  expect(await touchstone('verify', through)).toMatchObject({ exit: 0 });
  expect((await ledgerOf(through)).filter(({ kind }) => kind === 'sealed')).toHaveLength(2);
});

test('a worker that lacks a suite of the campaign names it, and so does the coordinator', async () => {
  const folder = await temporaryFolder();
  const { address } = await startRedis();
  const suite = 'examples/outside-app';
  const ours = startTouchstone('run', suite, '--queue', address, '--out', path.join(folder, 'bundle'));
  const worker = startWorker(address);
  await ours.says(`runs nothing of this campaign: the campaign ran "${suite}", which is not built in`);
  await worker.says('nothing is run of campaign');
  // One to which the suite was named is all that it needs.
  startWorker(address, suite);
  expect(await ours.ended).toBe(0);
});

test.each([
  [['--queue', 'redis://127.0.0.1:1'], 3, 'redis://127.0.0.1:1 cannot be used'],
  [['--queue', 'http://127.0.0.1:1'], 2, '--queue is not the address of a Redis'],
  [['--queue', 'redis://127.0.0.1:1', '--store', 's3://'], 2, '--store names no bucket'],
  [['--queue', 'redis://127.0.0.1:1', '--store', 'gs://bucket'], 2, 'neither a folder nor a bucket'],
  [['--queue', 'redis://127.0.0.1:1', '--store', 's3:/bucket'], 2, 'neither a folder nor a bucket'],
  [
    ['--queue', 'redis://127.0.0.1:1', '--browser-endpoint', 'http://127.0.0.1:9'],
    2,
    'touchstone worker --queue <url> --browser-endpoint <url>',
  ],
])('%j is refused', async (args, exit, why) => {
  const out = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', 'basics', ...args, '--out', out);
  expect(ran).toMatchObject({ exit, err: expect.stringContaining(why) });
});

test('a full Redis is infrastructure', async () => {
  const { address } = await startRedis({ words: ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'] });
  const out = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', 'basics', '--task', 'example-h1', '--queue', address, '--out', out);
  expect(ran).toMatchObject({ exit: 3, err: expect.stringContaining(`${address} refuses a command: OOM`) });
  expect(ran.err).not.toContain('bug');
});

test('a worker without a queue is refused', async () => {
  expect(await touchstone('worker')).toMatchObject({ exit: 2, err: expect.stringContaining('add --queue') });
});
