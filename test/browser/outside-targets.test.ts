import { expect, test } from 'vitest';
import { CdpConnection } from '../../src/browser/cdp.ts';
import { Observer } from '../../src/browser/observer.ts';
import { FakeBrowser } from './fake-browser.ts';

const DEVTOOLS = { targetId: 'D', type: 'other', title: '', url: 'devtools://devtools/a.html', attached: false };
const PAGE = { ...DEVTOOLS, targetId: 'P', type: 'page', url: 'http://a.test/', browserContextId: 'C' };

test('a window of the browser itself is closed and counted once, and never resumed', async () => {
  const browser = new FakeBrowser();
  const { observer } = await browser.observed();
  browser.say({ method: 'Target.targetCreated', params: { targetInfo: DEVTOOLS } });
  const params = { sessionId: 'S', targetInfo: DEVTOOLS, waitingForDebugger: true };
  browser.say({ method: 'Target.attachedToTarget', params });
  browser.say({ method: 'Target.targetInfoChanged', params: { targetInfo: { ...DEVTOOLS, type: 'page' } } });
  browser.say({ method: 'Target.targetCreated', params: { targetInfo: { ...PAGE, url: 'file:///a' } } });
  expect(await browser.received(2)).toMatchObject([
    { method: 'Target.closeTarget', params: { targetId: 'D' } },
    { method: 'Target.closeTarget', params: { targetId: 'P' } },
  ]);
  expect([observer.outside.count(), observer.outside.count('C'), observer.outside.has('D')]).toEqual([2, 1, true]);
});

test('a page that leaves the world is closed, and its tab with it', async () => {
  const browser = new FakeBrowser();
  const { observer } = await browser.observed();
  browser.say({ method: 'Target.targetCreated', params: { targetInfo: PAGE } });
  const left = { ...PAGE, url: 'view-source:http://a.test/' };
  browser.say({ method: 'Target.targetInfoChanged', params: { targetInfo: { ...left, targetId: 'T', type: 'tab' } } });
  browser.say({ method: 'Target.targetInfoChanged', params: { targetInfo: left } });
  expect(await browser.received(1)).toMatchObject([{ method: 'Target.closeTarget', params: { targetId: 'P' } }]);
  expect(observer.outside.count()).toBe(1);
});

test.each([
  { isOurs: false, hasUser: true },
  { isOurs: true, hasUser: true },
])('the windows of its user are left open: %j', async (ownership) => {
  const browser = new FakeBrowser();
  const observer = await Observer.attach(new CdpConnection(browser.switchboard.judge), ownership);
  const params = { sessionId: 'S', targetInfo: { ...PAGE, url: 'chrome://newtab/' }, waitingForDebugger: true };
  browser.say({ method: 'Target.attachedToTarget', params });
  const heard = await browser.received(2);
  expect(heard.map(({ method }) => method)).toEqual(['Page.enable', 'Runtime.runIfWaitingForDebugger']);
  expect(observer.outside.count()).toBe(0);
});
