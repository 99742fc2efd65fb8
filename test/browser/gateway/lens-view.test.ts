import { expect, test } from 'vitest';
import { ContextLens } from '../../../src/browser/gateway/context-lens.ts';
import { LensView } from '../../../src/browser/gateway/lens-view.ts';
import type { GuestCommand } from '../../../src/browser/guest.ts';

/** The view of a client that is connected to the browser, and what becomes of it. */
function viewOf() {
  const led: string[] = [];
  const sent: GuestCommand[] = [];
  const lens = new ContextLens({
    observer: { lead: async (contextId) => void led.push(contextId), pages: () => [] },
    contextId: 'HOME',
    proxy: { server: 'http://127.0.0.1:1', bypass: '<-loopback>' },
    viewport: { width: 1, height: 1 },
  });
  const view = new LensView(lens, false, (command) => sent.push(command));
  return { view, led, sent, hear: (message: object) => view.hear(Buffer.from(JSON.stringify(message))) };
}

const DOWNLOADS = { method: 'Browser.setDownloadBehavior', params: { behavior: 'allow' } };

function attached(sessionId: string, browserContextId: string, waitingForDebugger: boolean) {
  const targetInfo = { targetId: `T${sessionId}`, type: 'page', url: 'about:blank', browserContextId };
  return { method: 'Target.attachedToTarget', params: { sessionId, targetInfo, waitingForDebugger } };
}

test('downloads are settled anew when a client or a session ends that had said what becomes of them', () => {
  const { view, led, hear } = viewOf();
  view.ask({ id: 1, ...DOWNLOADS, sessionId: 'S' });
  hear({ method: 'Target.detachedFromTarget', params: { sessionId: 'OTHER' } });
  expect(led).toEqual([]);
  hear({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } });
  expect(led).toEqual(['HOME']);
  view.end();
  expect(led).toEqual(['HOME']);
  view.ask({ id: 2, ...DOWNLOADS });
  view.end();
  expect(led).toEqual(['HOME', 'HOME']);
});

test('a page of the owner is let go, one that waits for the client only after it was told to go on', () => {
  const { view, sent, hear } = viewOf();
  expect(hear(attached('A', 'THEIRS', true))).toBeNull();
  expect(hear(attached('B', 'THEIRS', false))).toBeNull();
  expect(sent.map(({ method, sessionId, params }) => [method, sessionId, params])).toEqual([
    ['Runtime.runIfWaitingForDebugger', 'A', undefined],
    ['Target.detachFromTarget', undefined, { sessionId: 'A' }],
    ['Target.detachFromTarget', undefined, { sessionId: 'B' }],
  ]);
  for (const { id } of sent) expect(hear({ id, result: {} })).toBeNull();
  expect(view.ask({ id: 1, method: 'Page.reload', sessionId: 'A' })).toMatchObject({ denial: { code: -32_001 } });
  expect(hear({ method: 'Target.detachedFromTarget', params: { sessionId: 'A' } })).toBeNull();
});

test('what is of the lens is heard as it was said, byte for byte', () => {
  const { view, hear } = viewOf();
  for (const message of [attached('C', 'HOME', true), { method: 'Page.loadEventFired', params: {}, sessionId: 'C' }]) {
    expect(hear(message)?.toString()).toBe(JSON.stringify(message));
  }
  const command = { id: 1, method: 'Page.reload', sessionId: 'C' };
  expect(view.ask(command)).toEqual({ command });
});

test('of two commands of one number each has its own reply', () => {
  const { view, hear } = viewOf();
  const asked = ['Target.getTargets', 'Target.getBrowserContexts'].map((method) => view.ask({ id: 7, method }));
  const [targets, contexts] = asked.map((each) => (each !== null && 'command' in each ? each.command.id : 0));
  const mine = { targetId: 'T', type: 'page', url: 'data:,Mine', browserContextId: 'THEIRS' };
  const listed = hear({
    id: contexts,
    result: { browserContextIds: ['HOME', 'THEIRS'], defaultBrowserContextId: 'X' },
  });
  expect(listed?.toString()).toBe('{"id":7,"result":{"browserContextIds":[],"defaultBrowserContextId":"HOME"}}');
  expect(hear({ id: targets, result: { targetInfos: [mine] } })?.toString()).toBe(
    '{"id":7,"result":{"targetInfos":[]}}',
  );
});

test.each([2 ** 31, 2 ** 32, -(2 ** 31)])('a number that the browser takes of nobody is no command: %d', (id) => {
  expect(viewOf().view.ask({ id, method: 'Page.reload' })).toBeNull();
});

test('of a browser that tells of ever more targets no more are remembered than any browser has', () => {
  const { hear } = viewOf();
  const tell = (targetId: string) => {
    const targetInfo = { targetId, type: 'page', url: 'about:blank', browserContextId: 'HOME' };
    return hear({ method: 'Target.targetCreated', params: { targetInfo } });
  };
  for (let number = 0; number < 100_000; number += 1) tell(`T${number}`);
  expect(tell('T0')).not.toBeNull();
  expect(() => tell('one more')).toThrow('more than 100000 pages, frames and workers were open');
});
