import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { startClock } from '../../../src/world/app.ts';
import { loadApp } from '../../../src/world/load-app.ts';
import type { LocalWorldOptions } from '../../../src/world/local.ts';
import type { World } from '../../../src/world/world-proxy.ts';
import { WorldThread } from '../../../src/world/thread/world-thread.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ask, connect } from '../through-proxy.ts';

const ADDRESS = 'http://a.localhost/';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function openThread(): WorldThread {
  const thread = new WorldThread();
  closing.push(() => thread.close());
  return thread;
}

/** An app whose state counts how often its module has made one; `fetch` and `create` are parts of functions. */
function appThat({ fetch = '', create = '' }): string {
  return `let made = 0;
export default async (parameters) => {
  made += 1;
  ${create}
  const asked = [];
  return {
    state: () => ({ made, asked, parameters }),
    fetch: async (request) => {
      const body = await request.text();
      ${fetch}
      asked.push(new URL(request.url).pathname);
      return new Response('hello ' + body);
    },
  };
};`;
}

async function fileOf(app: string): Promise<string> {
  const file = path.join(await temporaryFolder(), 'app.ts');
  await writeFile(file, app);
  return file;
}

async function raise(thread: WorldThread, app = appThat({})): Promise<World> {
  return await raiseFile(thread, await fileOf(app));
}

async function raiseFile(thread: WorldThread, file: string): Promise<World> {
  const world = await thread.raise(await optionsOf(file));
  closing.push(() => world.close().catch(() => {}));
  return world;
}

async function optionsOf(file: string): Promise<LocalWorldOptions> {
  const site = { origin: 'http://a.localhost', create: await loadApp(file), madeOf: { app: file } };
  const sites = [{ ...site, hasState: true, standIn: false }];
  return { sites, parameters: { user: 'ada' }, identity: await sharedIdentity(), live: false };
}

test('an app in a thread is given the clock of the task, and time runs on from there', async () => {
  const file = await fileOf(`import { defineApp } from 'touchstone';
    export default defineApp((_parameters, { clock, now }) => ({
      fetch: () => new Response(new Date(now()).toISOString()),
      state: () => ({ clock }),
    }));`);
  const world = await openThread().raise({
    ...(await optionsOf(file)),
    clock: startClock('2019-03-04T10:00:00+01:00'),
  });
  closing.push(() => world.close());
  const { body } = await ask(world, ADDRESS);
  expect(body).toMatch(/^2019-03-04T09:0/);
  expect(await world.state()).toMatchObject({ value: { clock: '2019-03-04T09:00:00.000Z' } });
});

test('a world in a thread answers, logs, counts and returns its state like one in this thread', async () => {
  const world = await raise(openThread());
  expect(await ask(world, `${ADDRESS}cart`, { method: 'POST', body: 'ada' })).toMatchObject({ body: 'hello ada' });
  expect(await ask(world, 'http://elsewhere.test/')).toMatchObject({ status: 502 });
  expect(world.traffic).toMatchObject({ sent: 2, unanswered: 0, logged: 1, refused: 1 });
  expect(await world.network()).toMatchObject({
    value: { next: 1, entries: [{ method: 'POST', url: `${ADDRESS}cart`, status: 200, request_body: 'ada' }] },
  });
  const state = { made: 1, asked: ['/cart'], parameters: { user: 'ada' } };
  expect(await world.state()).toEqual({ captured: true, value: state });
  expect(await world.nac3()).toEqual({ manifestChecksum: null, runtimeHash: null });
});

test('cutting its proxy blocks every request, and another proxy stays open with its own log', async () => {
  const world = await raise(openThread());
  await ask(world, `${ADDRESS}before`);
  await world.cut();
  await expect(ask(world, `${ADDRESS}after`)).rejects.toThrow(/hang up|ECONNRESET/);
  const other = await world.anotherProxy();
  expect(await ask({ ...world, ...other }, `${ADDRESS}judge`)).toMatchObject({ status: 200 });
  expect(await other.network()).toMatchObject({ value: { entries: [{ url: `${ADDRESS}judge` }] } });
  await other.cut();
  await other.close();
  expect(await world.network()).toMatchObject({ value: { entries: [{ url: `${ADDRESS}before` }] } });
  expect(await world.state()).toMatchObject({ value: { asked: ['/before', '/judge'] } });
});

test('a module keeps its values for the next world of its thread, and hides them from other threads', async () => {
  const file = await fileOf(appThat({}));
  const [one, other] = [openThread(), openThread()];
  const made: unknown[] = [];
  for (const thread of [one, one, other]) {
    const world = await raiseFile(thread, file);
    await ask(world, ADDRESS);
    made.push(await world.state());
    await world.close();
  }
  expect(made).toMatchObject([1, 2, 1].map((count) => ({ value: { made: count } })));
});

test('an app that cannot be made is an error that names its file', async () => {
  const raising = raise(openThread(), appThat({ create: "throw new Error('no seed');" }));
  await expect(raising).rejects.toMatchObject({
    code: 'app_cannot_be_made',
    params: { origin: 'http://a.localhost', why: expect.stringMatching(/app\.ts: no seed$/) },
  });
});

test('a thread that ends while it raises a world is an error of that world', async () => {
  const raising = raise(openThread(), appThat({ create: 'process.exit(1);' }));
  const params = { origin: 'http://a.localhost', why: 'the thread of the world has ended' };
  await expect(raising).rejects.toMatchObject({ code: 'app_cannot_be_made', params });
});

test('a thread that never raises a world is ended', async () => {
  const thread = openThread();
  const raised = await optionsOf(await fileOf(appThat({ create: 'for (;;);' })));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const raising = thread.raise(raised).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(await raising).toMatchObject({ code: 'app_cannot_be_made' });
  } finally {
    vi.useRealTimers();
  }
  expect(await ask(await raise(thread), ADDRESS)).toMatchObject({ body: 'hello ' });
});

const LEFT_BEHIND = {
  'a timer that throws': "setTimeout(() => { throw new Error('too late'); }, 1_000);",
  'a timer that never returns': 'setTimeout(() => { for (;;); }, 1_000);',
  'an answer that never returns': 'await new Promise((go) => setTimeout(go, 1_000)); for (;;);',
  'a server': "(await import('node:net')).createServer().listen(0, '127.0.0.1');",
};

test.each(Object.entries(LEFT_BEHIND))(
  '%s that an app leaves behind does not reach the next world',
  async (_, fetch) => {
    const file = await fileOf(appThat({ fetch }));
    const thread = openThread();
    const world = await raiseFile(thread, file);
    void ask(world, ADDRESS).catch(() => {});
    await expect.poll(() => world.traffic.logged).toBe(1);
    await world.close();
    expect(await (await raiseFile(thread, file)).state()).toMatchObject({ value: { made: 1 } });
  },
);

const ENDINGS = {
  'fills its heap': 'const all = []; for (;;) all.push(new Array(1e6).fill(1.5));',
  'throws from a timer': "setTimeout(() => { throw new Error('too late'); });",
  exits: 'process.exit(1);',
};

test.each(Object.entries(ENDINGS))(
  'an app that %s ends only its own thread: its world cannot be read, but the next one starts',
  async (_, fetch) => {
    const thread = openThread();
    const world = await raise(thread, appThat({ fetch }));
    await ask(world, 'http://elsewhere.test/');
    await ask(world, ADDRESS, { method: 'POST' }).catch(() => {});
    await expect
      .poll(() =>
        world.state().then(
          () => 'alive',
          () => 'ended',
        ),
      )
      .toBe('ended');
    await expect(world.cut()).rejects.toThrow('the thread of the world has ended');
    await expect(Promise.resolve(world.network())).rejects.toThrow('the thread of the world has ended');
    expect(world.traffic.refused).toBe(1);
    await world.close();
    expect(await ask(await raise(thread), ADDRESS)).toMatchObject({ body: 'hello ' });
  },
);

const REQUEST = `GET ${ADDRESS} HTTP/1.1\r\nHost: a.localhost\r\n\r\n`;
const BODY = 'a=1&'.repeat(512 * 1024);
const FLOODS = {
  'pipelined requests': REQUEST.repeat(1_000),
  'large forms': `POST ${ADDRESS} HTTP/1.1\r\nHost: a.localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
};

test.each(Object.entries(FLOODS))('a client that floods a world with %s delays no other', async (_, flood) => {
  const [flooded, spared] = [await raise(openThread()), await raise(openThread())];
  const port = Number(new URL(flooded.proxy.server).port);
  const script = `
    const socket = require('node:net').connect(${port}, '127.0.0.1').resume();
    const { workerData } = require('node:worker_threads');
    const go = () => { while (socket.write(workerData)); socket.once('drain', go); };
    socket.on('error', () => {}).on('connect', go);`;
  const client = new Worker(script, { eval: true, workerData: flood });
  closing.push(() => client.terminate());
  await expect.poll(() => flooded.traffic.logged).toBeGreaterThan(3);
  for (let requests = 0; requests < 50; requests += 1) await ask(spared, ADDRESS);
  expect(await spared.state()).toMatchObject({ value: { asked: Array.from({ length: 50 }, () => '/') } });
});

test('an app that never returns blocks neither this thread nor the world of another', async () => {
  const thread = openThread();
  const stuck = await raise(thread, appThat({ fetch: 'for (;;);' }));
  const { socket } = await connect(stuck, 'a.localhost:80');
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a.localhost\r\n\r\n');
  const spared = await raise(openThread());
  await expect.poll(() => stuck.traffic.logged).toBe(1);
  for (let requests = 0; requests < 20; requests += 1) await ask(spared, ADDRESS);
  expect(await spared.state()).toMatchObject({ captured: true });
  await thread.close();
});
