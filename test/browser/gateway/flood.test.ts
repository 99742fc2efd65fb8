import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { CdpConnection } from '../../../src/browser/cdp.ts';
import { startGateway } from '../../../src/browser/gateway/gateway.ts';
import { Observer } from '../../../src/browser/observer.ts';
import { Switchboard } from '../../../src/browser/switchboard.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A gateway before a browser that answers every command at once, without parsing it. */
async function open() {
  let sessions = 0;
  let answer: (message: Buffer) => void = () => {};
  const switchboard = new Switchboard({
    send: (text, onSent) => {
      queueMicrotask(() => {
        onSent?.();
        const id = /^\{"id":(\d+)/.exec(text)?.[1] ?? '0';
        const isEntry = text.startsWith('"method":"Target.attachToBrowserTarget"', `{"id":${id},`.length);
        const session = /,"sessionId":"(GUEST\d+)"\}$/.exec(text.slice(-40))?.[1];
        const tail = session === undefined ? '' : `,"sessionId":"${session}"`;
        answer(Buffer.from(`{"id":${id},"result":{${isEntry ? `"sessionId":"GUEST${(sessions += 1)}"` : ''}}${tail}}`));
      });
    },
    listen: (onMessage) => {
      answer = onMessage;
    },
    fail: (error) => {
      throw error;
    },
    end: () => {},
  });
  const observer = await Observer.attach(new CdpConnection(switchboard.judge));
  const gateway = await startGateway({ switchboard, observer });
  closing.push(() => gateway.close());
  return gateway;
}

/** Sends the results of `message`, this many times, from its own thread; `answered` counts what has come back. */
function flood(port: number, message: string, count: number) {
  const script = `
    const { parentPort } = require('node:worker_threads');
    const { WebSocket } = require('ws');
    const text = ${message};
    const client = new WebSocket('ws://127.0.0.1:${port}/devtools/browser');
    client.on('error', () => {});
    client.on('message', () => parentPort.postMessage('answered'));
    client.on('open', async () => {
      for (let sent = 0; sent < ${count}; sent += 1) {
        client.send(text, () => sent === 0 && parentPort.postMessage('sent'));
        while (client.bufferedAmount > 64 * 1024 * 1024) await new Promise(setImmediate);
      }
    });
    parentPort.on('message', () => {});`;
  const worker = new Worker(script, { eval: true });
  closing.push(() => worker.terminate());
  const seen = { answered: 0, hasBegun: false };
  worker.on('message', (what) => {
    if (what === 'answered') seen.answered += 1;
    else seen.hasBegun = true;
  });
  return seen;
}

async function rival(port: number, commands: number): Promise<number> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/devtools/browser`);
  closing.push(async () => {
    client.terminate();
  });
  await once(client, 'open');
  let slowest = 0;
  for (let id = 1; id <= commands; id += 1) {
    const begun = performance.now();
    client.send(JSON.stringify({ id, method: 'Browser.getVersion' }));
    await once(client, 'message');
    slowest = Math.max(slowest, performance.now() - begun);
  }
  return slowest;
}

const LONG = 7.9 * 1024 * 1024;
const KINDS: [kind: string, message: string, count: number][] = [
  ['long', `JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'x'.repeat(${LONG}) } })`, 26],
  [
    'long and refused',
    `JSON.stringify({ id: 1, method: 'Fetch.fulfillRequest', params: { b: 'x'.repeat(${LONG}) } })`,
    26,
  ],
  ['long and no JSON', `'{"id":1,"method":"Runtime.evaluate","params":{"x":' + '['.repeat(${LONG})`, 26],
  ['short', `'{"id":1,"method":"Browser.getVersion"}'`, 200_000],
  ['short and refused', `'{"id":1,"method":"Page.crash"}'`, 200_000],
  ['short and no command', `'{"id":1,"method":7}'`, 200_000],
];

test.each(KINDS)(
  'a flood of commands that are %s delays no rival, and is not parsed on its thread',
  async (kind, message, count) => {
    const [flooded, spared] = await Promise.all([open(), open()]);
    const parsed = vi.spyOn(JSON, 'parse');
    const seen = flood(flooded.port, message, count);
    await vi.waitUntil(() => seen.hasBegun, { timeout: 60_000, interval: 1 });
    const slowest = await rival(spared.port, 100);
    expect(spared.log.commands).toBeGreaterThanOrEqual(100);
    expect(seen.answered).toBeLessThan(count);
    expect(flooded.log.commands).toBeLessThan(count);
    const characters = parsed.mock.calls.reduce((total, [text]) => total + text.length, 0);
    console.info(
      `${kind}: the rival's slowest of 100 commands took ${Math.round(slowest)} ms, ${characters} characters were parsed`,
    );
    expect(characters).toBeLessThan(64 * 1024);
  },
);
