import { expect, test } from 'vitest';
import { FakeBrowser } from './fake-browser.ts';

const VIEWPORT = { width: 800, height: 600 };

test('a context of somebody else’s browser that is led keeps no download', async () => {
  const browser = new FakeBrowser();
  const { observer } = await browser.observed();
  observer.lead('LED', VIEWPORT).catch(() => {});
  expect(await browser.received(1)).toMatchObject([
    { method: 'Browser.setDownloadBehavior', params: { behavior: 'deny', browserContextId: 'LED' } },
  ]);
});

test('pages of a context that is led take any certificate before they go on; those of its owner do not', async () => {
  const browser = new FakeBrowser();
  const { observer } = await browser.observed();
  observer.lead('LED', VIEWPORT).catch(() => {});
  for (const [sessionId, browserContextId] of [
    ['OF_OWNER', 'THEIRS'],
    ['OF_EPISODE', 'LED'],
  ]) {
    const targetInfo = { targetId: sessionId, type: 'page', title: '', url: '', attached: true, browserContextId };
    browser.say({ method: 'Target.attachedToTarget', params: { sessionId, targetInfo, waitingForDebugger: true } });
  }
  // One for the context, two for each page, and two more for the page that is led.
  const heard = await browser.received(7);
  const of = (session: string) => heard.filter(({ sessionId }) => sessionId === session).map(({ method }) => method);
  expect(of('OF_OWNER')).toEqual(['Page.enable', 'Runtime.runIfWaitingForDebugger']);
  expect(of('OF_EPISODE')).toEqual([
    'Page.enable',
    'Security.setIgnoreCertificateErrors',
    'Emulation.setDeviceMetricsOverride',
    'Runtime.runIfWaitingForDebugger',
  ]);
});
