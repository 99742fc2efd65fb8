import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { connect as connectPuppeteer } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireBrowser } from '../../../src/browser/find.ts';
import { type Gateway, startGateway } from '../../../src/browser/gateway/gateway.ts';
import { launchBrowser, type OwnedBrowser } from '../../../src/browser/launch.ts';
import { Entrants } from '../../../src/plan/entrants.ts';
import type { WorldHere } from '../../../src/world/world-proxy.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { connectDirectly } from '../direct-client.ts';
import { openWorld } from '../scene.ts';
import { ACCELERATORS, type Accelerator } from './accelerators.ts';
import { refusals } from '../../world/open-world.ts';

const START = 'http://a.test/';
const PAGE = '<h1>Here</h1><input value="typed"><a href="/other" target="_blank">Other</a><input type="file">';

let world: WorldHere;
let browser: OwnedBrowser;
let gateway: Gateway;

beforeAll(async () => {
  world = await openWorld({ [START]: PAGE, 'http://a.test/other': '<h1>Other</h1>' });
  const { spki } = await sharedIdentity();
  browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  browser.forwardTo(world.proxy.server);
  gateway = await startGateway(browser);
});

afterAll(async () => {
  await gateway.close();
  await browser.close();
  await world.close();
});

async function targets(): Promise<string[]> {
  const { cdp } = browser.observer;
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank' });
  await browser.observer.seen(targetId);
  await cdp.send('Target.closeTarget', { targetId });
  await expect.poll(() => browser.observer.hasPage(targetId)).toBe(false);
  const { targetInfos } = await cdp.send('Target.getTargets', { filter: [{}] });
  return targetInfos.map(({ type, url }) => `${type} ${url}`).toSorted();
}

interface Client {
  page: Page;
  session: CDPSession;
}

async function withClient(connecting: Promise<Browser>, work: (client: Client) => Promise<void>): Promise<void> {
  const client = await connecting;
  const context = client.contexts()[0] ?? (await client.newContext());
  const page = await context.newPage();
  await page.goto(START);
  await work({ page, session: await context.newCDPSession(page) });
  await page.close();
  await client.close();
}

async function throughGateway(work: (client: Client) => Promise<void>): Promise<void> {
  await withClient(chromium.connectOverCDP(gateway.url), work);
}

async function expectNothingOpened(work: (client: Client) => Promise<unknown>): Promise<void> {
  await throughGateway(async (client) => {
    const before = await targets();
    const closed = browser.observer.outside.count();
    await work(client);
    expect(await targets()).toEqual(before);
    expect(browser.observer.outside.count()).toBe(closed);
    expect(browser.isFit()).toBe(true);
  });
}

/** The parameters of a key that Chromium hands to its own window, and all others that the protocol has for it. */
const TO_WINDOW = {
  'the native key code alone': {},
  'all parameters': {
    isSystemKey: true,
    isKeypad: false,
    autoRepeat: false,
    location: 0,
    keyIdentifier: 'U+0000',
    timestamp: 1,
    commands: ['Paste'],
  },
};

async function press(session: CDPSession, accelerator: Accelerator, types: string[], more = {}): Promise<void> {
  const { key, code, windowsVirtualKeyCode, modifiers } = accelerator;
  const typed = key.length === 1 ? key.toLowerCase() : '\r';
  const common = { key, code, modifiers, windowsVirtualKeyCode, nativeVirtualKeyCode: windowsVirtualKeyCode };
  for (const type of types) {
    const text = type === 'char' ? { text: typed, unmodifiedText: typed } : {};
    const params = { ...common, ...more, ...text, type };
    await session.send('Input.dispatchKeyEvent', Object.assign({ type: 'keyUp' as const }, params));
  }
}

const SEQUENCES = ['rawKeyDown keyUp', 'keyDown keyUp', 'rawKeyDown char keyUp', 'char', 'keyUp'];
const PRESSES = Object.entries(TO_WINDOW).flatMap(([what, more]) =>
  SEQUENCES.map((types): [string, string, object] => [types, what, more]),
);

test.each(PRESSES)('no accelerator reaches the window, sent as %s with %s', async (types, _what, more) => {
  for (const isInField of [false, true]) {
    await expectNothingOpened(async ({ page, session }) => {
      if (isInField) await page.focus('input');
      for (const each of ACCELERATORS) await press(session, each, types.split(' '), more);
      expect(page.url()).toBe(START);
    });
  }
  expect(gateway.log.violations()).toEqual({});
});

test.each(['F12', 'Control+T', 'Control+U'])('past the gateway, %s opens a window, which is closed', async (name) => {
  await withClient(connectDirectly(browser), async ({ page, session }) => {
    const closed = browser.observer.outside.count();
    await page.bringToFront();
    for (const each of ACCELERATORS) if (each.name === name) await press(session, each, ['rawKeyDown', 'keyUp']);
    await expect.poll(() => browser.observer.outside.count()).toBeGreaterThan(closed);
    await expect.poll(async () => (await targets()).filter((each) => /chrome|source|devtools/.test(each))).toEqual([]);
  });
});

test('past the gateway, F1 opens a page of the web, which is refused and counted', async () => {
  await withClient(connectDirectly(browser), async ({ page, session }) => {
    await page.bringToFront();
    for (const each of ACCELERATORS) if (each.name === 'F1') await press(session, each, ['rawKeyDown', 'keyUp']);
    await expect.poll(() => Object.keys(refusals(world))).toContainEqual(expect.stringContaining('google'));
  });
});

const click = async (session: CDPSession, x: number, y: number, button: 'left' | 'right' | 'middle') => {
  for (const type of ['mousePressed', 'mouseReleased'] as const) {
    await session.send('Input.dispatchMouseEvent', { type, x, y, button, clickCount: 1 });
  }
};

const OTHER_INPUT: [what: string, work: (client: Client) => Promise<unknown>][] = [
  ['inserted text', ({ session }) => session.send('Input.insertText', { text: 'chrome://settings\r' })],
  [
    'a composition',
    ({ session }) =>
      session.send('Input.imeSetComposition', { text: 'chrome://settings\r', selectionStart: 0, selectionEnd: 1 }),
  ],
  ['a middle click', ({ session }) => click(session, 30, 30, 'middle')],
  [
    'clicks outside the page',
    async ({ session }) => {
      const points: [number, number][] = [[20, -40], [1270, -60], [-5, -5], [640, 2000]]; // prettier-ignore
      for (const [x, y] of points) await click(session, x, y, 'left');
    },
  ],
  [
    'a context menu, and its last line',
    async ({ session, page }) => {
      await click(session, 30, 30, 'right');
      for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
    },
  ],
  ['a file chooser', ({ page }) => page.evaluate("document.querySelector('[type=file]').click()")],
  [
    'windows of every state',
    async ({ session }) => {
      const { windowId } = await session.send('Browser.getWindowForTarget');
      for (const windowState of ['fullscreen', 'normal', 'minimized', 'normal', 'maximized', 'normal'] as const) {
        // Chromium may refuse it.
        await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } }).catch(() => {});
      }
    },
  ],
];

test.each(OTHER_INPUT)('%s opens nothing of the browser itself', async (_what, work) => {
  await expectNothingOpened(work);
  expect(gateway.log.violations()).toEqual({});
});

test('a page that does not load is a page of the world, and goes on', async () => {
  const closed = browser.observer.outside.count();
  await throughGateway(async ({ page }) => {
    await expect(page.goto('https://a.test:1/')).rejects.toThrow(/ERR_/);
    await page.waitForURL('chrome-error://chromewebdata/');
    await page.goto(START);
    expect(await page.textContent('h1')).toBe('Here');
  });
  expect(browser.observer.outside.count()).toBe(closed);
});

test('shortcuts of the page work through Playwright and Puppeteer', async () => {
  await throughGateway(async ({ page }) => {
    const puppeteer = await connectPuppeteer({ browserURL: gateway.url, defaultViewport: null });
    const same = (await puppeteer.pages()).find((each) => each.url() === START);
    for (const keyboard of [page.keyboard, same?.keyboard]) {
      await page.goto(START);
      await page.focus('input');
      for (const letter of ['a', 'c', 'End', 'v'] as const) {
        if (letter !== 'End') await keyboard?.down('Control');
        await keyboard?.press(letter);
        await keyboard?.up('Control');
      }
      expect(await page.inputValue('input')).toBe('typedtyped');
    }
    await puppeteer.disconnect();
  });
});

test('no accelerator reaches the window by the keys of Playwright MCP', async () => {
  const surface = (await Entrants.load()).surface('playwright-mcp');
  if (surface.needs !== 'endpoint') throw new Error('it is no tool server');
  const { signal } = new AbortController();
  const session = await surface.open({ cdpUrl: gateway.url, cdpPort: gateway.port, tabs: () => [] }, signal);
  await session.call({ tool: 'browser_navigate', args: { url: START } }, signal);
  const before = await targets();
  const closed = browser.observer.outside.count();
  for (const { name } of ACCELERATORS) await session.call({ tool: 'browser_press_key', args: { key: name } }, signal);
  expect(await targets()).toEqual(before);
  expect(browser.observer.outside.count()).toBe(closed);
  await session.close();
});
