import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { attachBrowser } from '../../src/browser/attach.ts';
import { endpoint } from './scripted-endpoint.ts';

/** Far more than any browser has; an endpoint that is not cut off stops there, since this process is to live. */
const FLOOD = 200_000;

test('an endpoint that opens a target at each command is cut off, and named without its secrets', async () => {
  let opened = 0;
  const address = await endpoint((socket, { id, sessionId }) => {
    socket.send(JSON.stringify({ id, result: { product: 'Chrome/1.2.3', revision: '@1' }, sessionId }));
    if (opened === FLOOD) return;
    opened += 1;
    const targetInfo = { targetId: `T${opened}`, type: 'page', url: 'about:blank', browserContextId: 'C' };
    const params = { sessionId: `S${opened}`, targetInfo, waitingForDebugger: false };
    socket.send(JSON.stringify({ method: 'Target.attachedToTarget', params }));
  });
  const browser = await attachBrowser(address);
  onTestFinished(() => browser.close());
  await Promise.race([browser.ended, flooded(() => opened)]);
  expect(browser.fault()).toMatch(
    /^a message from the browser at ws:\/\/127\.0\.0\.1:\d+ could not be handled \(Target\.attachedToTarget\): more than 10000 pages, frames and workers are open$/,
  );
  expect(opened).toBeLessThan(FLOOD);
});

test('an endpoint that stops answering while requests pile up is cut off', async () => {
  let told = 0;
  const address = await endpoint((socket, { id, sessionId }) => {
    if (sessionId === undefined) {
      socket.send(JSON.stringify({ id, result: { product: 'Chrome/1.2.3', revision: '@1' }, sessionId }));
    }
    for (let each = 0; each < 3 && told < FLOOD; each += 1) {
      told += 1;
      const targetInfo = { targetId: 'T', type: 'page', url: 'about:blank', browserContextId: 'C' };
      const params = { sessionId: 'S', targetInfo, waitingForDebugger: false };
      socket.send(JSON.stringify({ method: 'Target.attachedToTarget', params }));
      socket.send(JSON.stringify({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } }));
    }
  });
  const browser = await attachBrowser(address);
  onTestFinished(() => browser.close());
  // On a slow machine, the first commands would no longer be waited for when the last are sent.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await Promise.race([browser.ended, flooded(() => told)]);
  expect(browser.fault()).toContain('more than 50000 commands wait for its replies');
  expect(told).toBeLessThan(FLOOD);
});

/** Resolves when so much was sent that no endpoint can have been cut off for it. */
async function flooded(said: () => number): Promise<void> {
  while (said() < FLOOD) await setImmediate();
}
