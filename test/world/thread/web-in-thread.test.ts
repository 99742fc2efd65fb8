import { appendFile } from 'node:fs/promises';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { raiseWorld, readArchive, type SuiteWorld } from '../../../src/run/suite-world.ts';
import { WorldThread } from '../../../src/world/thread/world-thread.ts';
import type { World } from '../../../src/world/world-proxy.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { defineTask } from '../../../src/task/validate.ts';
import { archiveFile, openArchiveWorld } from '../archive/sample-archive.ts';
import { ask } from '../through-proxy.ts';

const PAGE = 'http://a.test/';
const TASK = defineTask({ id: 'a', title: 'A', goal: 'Look', startUrl: PAGE, success: { kind: 'no_dialog' } });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function recorded(): Promise<SuiteWorld> {
  return await readArchive({ file: await archiveFile([{ url: PAGE, body: 'hello' }]), ignoreQuery: [] });
}

async function raise(suiteWorld: SuiteWorld, live = false): Promise<World> {
  const thread = new WorldThread();
  closing.push(() => thread.close());
  const world = await raiseWorld(suiteWorld, TASK, { identity: await sharedIdentity(), live, thread });
  closing.push(() => world.close());
  return world;
}

/** Asks a world for an address from another thread while this one is blocked. */
async function whileBlocked(world: World, url: string, limitMs: number): Promise<'answered' | 'timed out'> {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const script = `
    const { parentPort, workerData: { port, url, answered } } = require('node:worker_threads');
    parentPort.once('message', () => {
      require('node:http').get({ host: '127.0.0.1', port, path: url, headers: { host: new URL(url).host } }, () => {
        Atomics.store(answered, 0, 1);
        Atomics.notify(answered, 0);
      });
    });`;
  const workerData = { port: Number(new URL(world.proxy.server).port), url, answered };
  const client = new Worker(script, { eval: true, workerData });
  closing.push(() => client.terminate());
  await once(client, 'online');
  client.postMessage('go', []);
  return Atomics.wait(answered, 0, 0, limitMs) === 'timed-out' ? 'timed out' : 'answered';
}

test('an archive in a thread answers, counts missing exchanges, and has no state', async () => {
  const world = await raise(await recorded());
  expect(await ask(world, PAGE)).toMatchObject({ status: 200, body: 'hello' });
  expect(await ask(world, `${PAGE}other`)).toMatchObject({ status: 504 });
  expect(world.offArchive()).toBe(1);
  expect(await world.state()).toMatchObject({ captured: false });
  expect(await world.network()).toMatchObject({ value: { entries: [{ status: 200 }, { status: 504 }] } });
});

test('an archive stays open for the next world of its thread', async () => {
  const suiteWorld = await recorded();
  const thread = new WorldThread();
  closing.push(() => thread.close());
  for (let worlds = 0; worlds < 2; worlds += 1) {
    const setting = { identity: await sharedIdentity(), live: false, thread };
    const world = await raiseWorld(suiteWorld, TASK, setting);
    expect(await ask(world, PAGE)).toMatchObject({ body: 'hello' });
    await world.close();
  }
});

test('an archive that has changed since it was read is refused', async () => {
  const suiteWorld = await recorded();
  if (suiteWorld.kind === 'archive') await appendFile(suiteWorld.choice.file, ' ');
  await expect(raise(suiteWorld)).rejects.toMatchObject({ code: 'archive_broken' });
});

test.each([
  // The live web refuses an address of this machine without asking anyone.
  { name: 'the live web', live: true, url: 'http://127.0.0.1/' },
  { name: 'an archive', live: false, url: PAGE },
])('$name answers while the main thread is busy', async ({ live, url }) => {
  expect(await whileBlocked(await raise(await recorded(), live), url, 20_000)).toBe('answered');
});

test('a world in the main thread does not', async () => {
  expect(await whileBlocked(await openArchiveWorld([{ url: PAGE }]), PAGE, 500)).toBe('timed out');
});
