import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capturePages, captureScreenshot } from '../../src/browser/capture.ts';
import { CdpConnection } from '../../src/browser/cdp.ts';
import { startChromium, type ChromiumProcess } from '../../src/browser/chromium-process.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { chromiumFlags, makeProfile } from '../../src/browser/flags.ts';
import { Switchboard } from '../../src/browser/switchboard.ts';
import { pipeWire } from '../../src/browser/wire.ts';
import { Observer } from '../../src/browser/observer.ts';
import { removeFolder } from '../../src/process/own-folder.ts';
import { connectDirectly } from './direct-client.ts';
import { openScene, openWorld, targetOf } from './scene.ts';

/** What a suspicious page could notice, by name. Nothing in it may differ between two visits by itself. */
const FINGERPRINT = `<link rel="icon" href="data:,"><button>Button</button><script>
  const events = [];
  for (const type of ['resize', 'focus', 'blur', 'visibilitychange', 'pageshow', 'pagehide', 'freeze', 'resume', 'error']) {
    addEventListener(type, () => events.push(type), true);
  }
  let touched = 0;
  const trap = { get id() { touched += 1; return 'trap'; } };
  console.debug(trap);
  console.debug(Object.defineProperty(new Error('x'), 'stack', { get() { touched += 1; return ''; } }));
  const mutations = [];
  new MutationObserver((list) => mutations.push(list.length)).observe(document, { subtree: true, childList: true, attributes: true });
  globalThis.fingerprint = () => ({
    globals: Object.getOwnPropertyNames(globalThis).sort(),
    documentProperties: Object.getOwnPropertyNames(document).sort(),
    webdriver: navigator.webdriver,
    userAgent: navigator.userAgent,
    languages: navigator.languages,
    plugins: navigator.plugins.length,
    visibility: document.visibilityState,
    focus: document.hasFocus(),
    size: [innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio],
    screen: [screen.width, screen.height, screen.colorDepth],
    nodes: document.querySelectorAll('*').length,
    scripts: document.scripts.length,
    styleSheets: document.styleSheets.length,
    native: [Function.prototype.toString, document.querySelector, JSON.stringify, EventTarget.prototype.addEventListener, fetch].map(String),
    stack: new Error('here').stack.split('\\n').length,
    frames: frames.length,
    resources: performance.getEntriesByType('resource').length,
    touched,
    events,
    mutations,
  });
</script>`;

const ADDRESS = 'http://a.test/';

async function fingerprintOf(page: Page, meanwhile: () => Promise<unknown>): Promise<unknown> {
  await page.goto(ADDRESS);
  await meanwhile();
  await page.click('button');
  await meanwhile();
  return await page.evaluate('fingerprint()');
}

/** A Chromium as we launch it, but without a judge. */
let unwatched: ChromiumProcess;
let switchboard: Switchboard;
/** No watcher, until one comes. */
let toJudge = (_message: Buffer): void => {};
let profile: string;
beforeAll(async () => {
  profile = makeProfile();
  unwatched = startChromium({
    binary: requireBrowser('full').path,
    flags: chromiumFlags({ profile, backgroundProxy: '127.0.0.1:9', trustedSpki: null, sandbox: false }),
    profile,
    uid: null,
  });
  unwatched.hasStarted();
  switchboard = new Switchboard(pipeWire(unwatched.pipe.input, unwatched.pipe.output));
  switchboard.judge.listen(
    (message) => toJudge(message),
    () => {},
  );
});
afterAll(async () => {
  unwatched.kill();
  await unwatched.ended;
  removeFolder(profile);
});

async function unwatchedFingerprint(meanwhile: (page: Page) => Promise<unknown>): Promise<unknown> {
  const world = await openWorld({ [ADDRESS]: FINGERPRINT });
  const browser = await connectDirectly({ switchboard });
  const context = await browser.newContext({ proxy: world.proxy });
  const page = await context.newPage();
  const fingerprint = await fingerprintOf(page, () => meanwhile(page));
  await context.close();
  await browser.close();
  await world.close();
  return fingerprint;
}

test('a page cannot tell whether it is watched', async () => {
  const alone = await unwatchedFingerprint(() => Promise.resolve());
  await using scene = await openScene({ [ADDRESS]: FINGERPRINT });
  const watched = await fingerprintOf(scene.page, async () => {
    await scene.capture();
    await captureScreenshot(scene.observer, scene.contextId);
  });
  expect(watched).toEqual(alone);
});

test('and the same page notices a watcher that does more', async () => {
  const alone = await unwatchedFingerprint(() => Promise.resolve());
  const meddled = await unwatchedFingerprint((page) =>
    page.evaluate('globalThis.__judge = 1; document.body.append("x")'),
  );
  expect(meddled).not.toEqual(alone);
});

test('the judge runs no script: what the page replaces is never called', async () => {
  const html = `<h1>Here</h1><script>
    globalThis.calls = [];
    const spy = (holder, name) => {
      const original = holder[name];
      holder[name] = function (...args) { calls.push(name); return original.apply(this, args); };
    };
    for (const name of ['querySelector', 'querySelectorAll', 'getElementById', 'createTreeWalker']) spy(Document.prototype, name);
    for (const name of ['getAttribute', 'getBoundingClientRect', 'matches', 'closest']) spy(Element.prototype, name);
    for (const name of ['stringify', 'parse']) spy(JSON, name);
    spy(globalThis, 'getComputedStyle');
  </script>`;
  await using scene = await openScene({ [ADDRESS]: html });
  await scene.page.goto(ADDRESS);
  const { pages } = await scene.capture();
  expect(pages).toMatchObject([{ dom: { captured: true } }]);
  expect(await scene.page.evaluate('calls.length')).toBe(0);
});

test('the judge is attached before a page runs anything: a dialog in its first script is not missed', async () => {
  await using scene = await openScene({ [ADDRESS]: '<script>alert("first words")</script>' });
  const opened = scene.page.waitForEvent('dialog');
  scene.page.goto(ADDRESS).catch(() => {});
  await opened;
  await expect
    .poll(async () => (await scene.capture()).pages)
    .toMatchObject([{ dialog: { type: 'alert', message: 'first words' } }]);
});

// The last test: from here on, the other browser is watched as well.
test('a judge that comes later sees the page, and changes nothing either', async () => {
  const browser = await connectDirectly({ switchboard });
  const world = await openWorld({ [ADDRESS]: FINGERPRINT });
  const context = await browser.newContext({ proxy: world.proxy });
  const page = await context.newPage();
  await page.goto(ADDRESS);
  const before = await page.evaluate('fingerprint()');
  const observer = await Observer.attach(
    new CdpConnection({
      ...switchboard.judge,
      listen: (onMessage) => {
        toJudge = onMessage;
      },
    }),
  );
  const { targetId, contextId } = await targetOf(page);
  await observer.seen(targetId);
  expect(await capturePages(observer, contextId)).toMatchObject({ pages: [{ dom: { captured: true } }] });
  expect(await page.evaluate('fingerprint()')).toEqual(before);
  await context.close();
  await browser.close();
  await world.close();
});
