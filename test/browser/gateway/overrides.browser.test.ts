import { expect, test } from 'vitest';
import { startGateway } from '../../../src/browser/gateway/gateway.ts';
import { deferred } from '../../world/deferred.ts';
import { openScene, targetOf, type TestScene } from '../scene.ts';
import { RawClient } from './raw-client.ts';

const ADDRESS = 'http://a.localhost/';

async function withClient(work: (client: RawClient, scene: TestScene, leave: () => Promise<void>) => Promise<void>) {
  await using scene = await openScene({ [ADDRESS]: '<h1>Here</h1><script>document.title = "Script"</script>' });
  await scene.page.goto(ADDRESS);
  const gateway = await startGateway(scene.browser);
  try {
    const { targetId } = await targetOf(scene.page);
    const client = await RawClient.connect(`ws://127.0.0.1:${gateway.port}/devtools/page/${targetId}`);
    await work(client, scene, () => gateway.close());
  } finally {
    await gateway.close();
  }
}

test('a page that a client has paused in its debugger is captured, and goes on once the client has gone', async () => {
  await withClient(async (client, scene, leave) => {
    const paused = client.heard('Debugger.paused');
    client.send('Debugger.enable');
    client.send('Runtime.evaluate', { expression: 'debugger' });
    await paused;
    // A snapshot runs no script.
    expect((await scene.capture()).pages).toMatchObject([{ url: { value: ADDRESS }, dom: { captured: true } }]);
    await leave();
    expect(await scene.page.evaluate('document.title')).toBe('Script');
  });
});

test('overrides of a client end with it', async () => {
  const looks =
    'JSON.stringify([navigator.userAgent, innerWidth, new Date(0).getHours(), matchMedia("print").matches, document.title])';
  await withClient(async (client, { page }, leave) => {
    const before = await page.evaluate(looks);
    client.send('Emulation.setUserAgentOverride', { userAgent: 'Nobody' });
    client.send('Emulation.setDeviceMetricsOverride', { width: 321, height: 400, deviceScaleFactor: 1, mobile: false });
    client.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    client.send('Emulation.setEmulatedMedia', { media: 'print' });
    client.send('Emulation.setScriptExecutionDisabled', { value: true });
    // Chromium answers in whatever order it is done.
    expect((await client.settled(5)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    await page.reload();
    expect(JSON.parse(String(await page.evaluate(looks)))).toEqual(['Nobody', 321, 9, true, 'Test']);
    await leave();
    await page.reload();
    expect(await page.evaluate(looks)).toBe(before);
  });
});

test.each([
  ['Browser.setContentsSize', { width: 321, height: 400 }],
  ['Browser.setWindowBounds', { bounds: { left: 7, top: 9, width: 654, height: 543 } }],
  ['Browser.setWindowBounds', { bounds: { windowState: 'minimized' } }],
  ['Browser.setWindowBounds', { bounds: { windowState: 'fullscreen' } }],
])('a window that a client has resized by %s is restored once the client has gone', async (method, params) => {
  await withClient(async (client, { browser, page }, leave) => {
    const { targetId } = await targetOf(page);
    const look = async () => (await browser.observer.cdp.send('Browser.getWindowForTarget', { targetId })).bounds;
    const before = await look();
    const { windowId } = await browser.observer.cdp.send('Browser.getWindowForTarget', { targetId });
    client.send(method, { windowId, ...params });
    expect(await client.settled(1)).toEqual([1]);
    await expect.poll(look).not.toEqual(before);
    await leave();
    await expect.poll(look).toEqual(before);
  });
});

const WIDTH = `(() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('h1'));
  return range.getBoundingClientRect().width;
})()`;
const MONOSPACE = { standard: 'monospace', serif: 'monospace' };

test.each([
  { fontFamilies: MONOSPACE },
  { fontFamilies: {}, forScripts: [{ script: 'Latn', fontFamilies: MONOSPACE }] },
])('fonts of a client, which would outlive it, are not set: %o', async (params) => {
  await withClient(async (client, { browser, page }, leave) => {
    const before = await page.evaluate(WIDTH);
    client.send('Page.setFontFamilies', params);
    expect(await client.settled(1)).toEqual([1]);
    await leave();
    expect(await page.evaluate(WIDTH)).toBe(before);
    // Past the gateway they are, and stay.
    const { targetId } = await targetOf(page);
    const answered = deferred<unknown>();
    const listener = { onMessage: answered.resolve, onEnd() {}, onRoom() {} };
    const guest = await browser.switchboard.admit(listener, targetId);
    guest.send({ id: 1, method: 'Page.setFontFamilies', params: JSON.stringify(params) });
    await answered.promise;
    await guest.leave();
    await expect.poll(() => page.evaluate(WIDTH)).not.toBe(before);
  });
});
