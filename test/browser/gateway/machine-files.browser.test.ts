import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachBrowser } from '../../../src/browser/attach.ts';
import { requireBrowser } from '../../../src/browser/find.ts';
import { startGateway } from '../../../src/browser/gateway/gateway.ts';
import type { JudgedBrowser } from '../../../src/browser/judged-browser.ts';
import { launchBrowser } from '../../../src/browser/launch.ts';
import { aria } from '../../../src/surface/aria/aria.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { connectDirectly } from '../direct-client.ts';
import { openScene, type Pages, targetOf, type TestScene } from '../scene.ts';
import { theirBrowser } from '../their-browser.ts';
import { ACCELERATORS } from './accelerators.ts';

const SECRET = 'the expected value';
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-machine-'));
const canary = path.join(folder, 'contract.svg');
const FILE = pathToFileURL(canary).href;
const ABSENT = `${FILE}.absent`;
const START = 'http://a.localhost/';
const PAGES: Pages = {
  [START]: '<h1>Here</h1>',
  'http://a.localhost/away': () => new Response(null, { status: 302, headers: { location: FILE } }),
};

let ours: JudgedBrowser;

beforeAll(async () => {
  writeFileSync(canary, `<svg xmlns="http://www.w3.org/2000/svg"><text y="20">${SECRET}</text></svg>`);
  // The browser may run as another user.
  chmodSync(folder, 0o755);
  const { spki } = await sharedIdentity();
  ours = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
});

afterAll(async () => {
  await ours.close();
  rmSync(folder, { recursive: true });
});

interface Client {
  page: Page;
  session: CDPSession;
}

async function shownBy({ page, session }: Client): Promise<string> {
  if (page.frames().some((frame) => frame.url().startsWith('file:'))) return SECRET;
  return JSON.stringify(await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] }));
}

/** Resolves once frames and requests that were begun before have come to an end. */
const LOADED = `new Promise((done) => {
  const frame = document.createElement('iframe');
  frame.onload = () => done();
  frame.src = '/?last';
  document.body.append(frame);
})`;

async function printed({ session }: Client, address: string): Promise<string> {
  const template = `<svg width="50" height="50"><image href="${address}" width="50" height="50"/></svg>
    <img src="${address}" width="50" height="50"><iframe src="${address}"></iframe>`;
  const options = { displayHeaderFooter: true, headerTemplate: template, footerTemplate: template };
  const { data } = await session.send('Page.printToPDF', options);
  return Buffer.from(data, 'base64')
    .toString('latin1')
    .replaceAll(/\(D:[^)]*\)/g, '');
}

async function drop(client: Client, mimeType: string): Promise<string> {
  const data = { items: [{ mimeType, data: FILE }], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.session.send('Input.dispatchDragEvent', { type, x: 9, y: 99, data });
  }
  await client.page.evaluate(LOADED);
  return await shownBy(client);
}

interface Reader {
  /** Whether a browser with no gateway before it is read by this. */
  reads?: true;
  read: (client: Client) => Promise<unknown>;
}

const READERS: Record<string, Reader> = {
  'a request of a page': { read: ({ page }) => page.evaluate(`fetch('${FILE}').then((reply) => reply.text())`) },
  'a module': { read: ({ page }) => page.evaluate(`import('${FILE}')`) },
  'a worker': { read: ({ page }) => page.evaluate(`new Worker('${FILE}')`) },
  'a frame': {
    read: async (client) => {
      const frame = `document.body.append(Object.assign(document.createElement('iframe'), { src: '${FILE}' }))`;
      await client.page.evaluate(`${frame}; ${LOADED}`);
      return await shownBy(client);
    },
  },
  'its own location': {
    read: async (client) => {
      await client.page.evaluate(`location.href = '${FILE}'; ${LOADED}`);
      return await shownBy(client);
    },
  },
  'a redirect of the world': {
    read: async (client) => {
      await client.page.goto(`${START}away`).catch(() => {});
      return await shownBy(client);
    },
  },
  'a window': {
    read: async (client) => {
      await client.page.evaluate(`void open('${FILE}'); ${LOADED}`);
      return await Promise.all(
        client.page
          .context()
          .pages()
          .map((page) => page.content()),
      );
    },
  },
  'a file that a user would choose': {
    read: ({ page }) => page.evaluate(`void showOpenFilePicker().catch(() => {}); ${LOADED}`),
  },
  'an isolated world with access to everything': {
    read: async ({ session }) => {
      const { frameTree } = await session.send('Page.getFrameTree');
      const world = { frameId: frameTree.frame.id, worldName: 'mine', grantUniveralAccess: true };
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
      const expression = `fetch('${FILE}').then((reply) => reply.text())`;
      const { result } = await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true });
      return result.value;
    },
  },
  'the header of a printed page': {
    read: async (client) => ((await printed(client, FILE)) === (await printed(client, ABSENT)) ? 'alike' : SECRET),
  },
  'a navigation by command': {
    reads: true,
    read: async (client) => {
      await client.page.goto(FILE);
      return await shownBy(client);
    },
  },
  'the source of a file': {
    reads: true,
    read: async (client) => {
      await client.page.goto(`view-source:${FILE}`);
      return await shownBy(client);
    },
  },
  'a new target': {
    reads: true,
    read: async ({ page, session }) => {
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        session.send('Target.createTarget', { url: FILE }),
      ]);
      return await opened.content();
    },
  },
  'a resource loaded by command': {
    read: async ({ session }) => {
      const { frameTree } = await session.send('Page.getFrameTree');
      const options = { disableCache: true, includeCredentials: false };
      const request = { frameId: frameTree.frame.id, url: FILE, options };
      const { resource } = await session.send('Network.loadNetworkResource', request);
      return (await session.send('IO.read', { handle: resource.stream ?? '' })).data;
    },
  },
  'an address dropped on a page': { read: (client) => drop(client, 'text/uri-list') },
};

async function readBy(scene: TestScene, connect: () => Promise<Browser>, readers: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of readers) {
    await scene.page.goto(START);
    const client = await connect();
    const page = client
      .contexts()
      .flatMap((context) => context.pages())
      .find((each) => each.url() === START);
    if (page === undefined) throw new Error('the page of the world is not there');
    const session = await page.context().newCDPSession(page);
    const read = await READERS[name]?.read({ page, session }).catch((error: unknown) => String(error));
    if ((JSON.stringify(read) ?? '').includes(SECRET)) found.push(name);
    await client.close();
  }
  return found;
}

test.each(['launched by Touchstone', 'started by another'])(
  'no file of this machine is read through the gateway of a browser %s',
  async (whose) => {
    const browser = whose === 'launched by Touchstone' ? ours : await attachBrowser((await theirBrowser()).address);
    const scene = await openScene(PAGES, browser);
    const gateway = await startGateway(browser);
    expect(await readBy(scene, () => chromium.connectOverCDP(gateway.url), Object.keys(READERS))).toEqual([]);
    await gateway.close();
    await scene[Symbol.asyncDispose]();
    if (browser !== ours) await browser.close();
  },
);

test('past the gateway of a browser that is not ours, the same commands read it', async () => {
  const browser = await attachBrowser((await theirBrowser()).address);
  const scene = await openScene(PAGES, browser);
  const reading = Object.keys(READERS);
  expect(await readBy(scene, () => connectDirectly(browser), reading)).toEqual(
    Object.entries(READERS).flatMap(([name, { reads }]) => (reads ? [name] : [])),
  );
  await scene[Symbol.asyncDispose]();
  await browser.close();
});

test('our own surface reads no file, and opens no window, in a browser that is not ours', async () => {
  const browser = await attachBrowser((await theirBrowser()).address);
  const scene = await openScene(PAGES, browser);
  const { context, page, contextId } = scene;
  await page.goto(START);
  const { targetId } = await targetOf(page);
  const session = await aria.open({ context, page, contextId, targetId, touch: () => {} });
  const { signal } = new AbortController();
  const windows = async () =>
    (await browser.observer.cdp.send('Target.getTargets', { filter: [{}] })).targetInfos.length;
  const before = await windows();
  for (const { name } of ACCELERATORS) await session.call({ tool: 'press', args: { key: name } }, signal);
  for (const url of [FILE, `view-source:${FILE}`, 'chrome://version/']) {
    expect(await session.call({ tool: 'navigate', args: { url } }, signal)).toMatchObject({ ok: false });
  }
  expect((await session.call({ tool: 'snapshot', args: {} }, signal)).text).toContain('Here');
  expect(await windows()).toBe(before);
  await session.close();
  await scene[Symbol.asyncDispose]();
  await browser.close();
});
