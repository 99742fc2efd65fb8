import { expect, test } from 'vitest';
import { WorldView } from '../../../src/browser/gateway/world-view.ts';
import type { GuestCommand } from '../../../src/browser/guest.ts';

const PAGE = { targetId: 'P', type: 'page', url: 'http://a.test/' };
const WINDOW = { targetId: 'W', type: 'other', url: 'devtools://devtools/a.html' };
const attached = (sessionId: string, targetInfo: object) => ({
  method: 'Target.attachedToTarget',
  params: { sessionId, targetInfo, waitingForDebugger: true },
});

function opened() {
  const sent: GuestCommand[] = [];
  const view = new WorldView((command) => void sent.push(command));
  const hear = (message: object): unknown => {
    const heard = view.hear(Buffer.from(JSON.stringify(message)));
    return heard === null ? null : JSON.parse(heard.toString('utf8'));
  };
  const isDenied = (sessionId: string) =>
    view.denialOf({ id: 1, method: 'Runtime.evaluate', params: '{}', sessionId }) !== null;
  return { sent, hear, isDenied };
}

test('a client is notified of targets of the world', () => {
  const { hear, isDenied, sent } = opened();
  const ended = { method: 'Target.detachedFromTarget', params: { sessionId: 'S' } };
  for (const message of [
    { method: 'Target.targetCreated', params: { targetInfo: PAGE } },
    attached('S', PAGE),
    { method: 'Page.loadEventFired', params: {}, sessionId: 'S' },
    { method: 'Target.targetInfoChanged', params: { targetInfo: PAGE } },
    { id: 3, result: { targetInfo: PAGE } },
    ended,
    { method: 'Target.targetDestroyed', params: { targetId: 'P' } },
  ]) {
    expect(hear(message)).toEqual(message);
  }
  expect(isDenied('S')).toBe(false);
  expect(sent).toEqual([]);
});

test('a client that attaches to a window of the browser gets no session, is not notified and lets it go', () => {
  const { hear, isDenied, sent } = opened();
  for (const message of [
    { method: 'Target.targetCreated', params: { targetInfo: WINDOW } },
    { ...attached('S', WINDOW), sessionId: 'TAB' },
    { method: 'Runtime.consoleAPICalled', params: {}, sessionId: 'S' },
    { ...attached('CHILD', PAGE), sessionId: 'S' },
  ]) {
    expect(hear(message)).toBeNull();
  }
  expect(isDenied('S')).toBe(true);
  expect(sent).toMatchObject([{ method: 'Target.detachFromTarget', params: '{"sessionId":"S"}', sessionId: 'TAB' }]);
  expect(hear({ id: sent[0]?.id, result: {} })).toBeNull();
  expect(hear({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' }, sessionId: 'TAB' })).toBeNull();
});

test('a client loses its session of a page that leaves the world, and is notified only of its end', () => {
  const { hear, isDenied } = opened();
  hear(attached('S', PAGE));
  const left = { ...PAGE, url: 'chrome://settings/' };
  expect(hear({ method: 'Target.targetInfoChanged', params: { targetInfo: left } })).toBeNull();
  expect(isDenied('S')).toBe(true);
  expect(hear({ method: 'Page.loadEventFired', params: {}, sessionId: 'S' })).toBeNull();
  const ended = { method: 'Target.detachedFromTarget', params: { sessionId: 'S' } };
  expect(hear(ended)).toEqual(ended);
});

test('a client that asks for targets gets those of the world', () => {
  const { hear } = opened();
  const asked = { id: 4, result: { targetInfos: [PAGE, WINDOW] }, sessionId: 'B' };
  expect(hear(asked)).toEqual({ ...asked, result: { targetInfos: [PAGE] } });
  expect(hear({ id: 5, result: { targetInfo: WINDOW } })).toMatchObject({ id: 5, error: { code: -32_602 } });
});
