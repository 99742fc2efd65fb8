import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireBrowser } from '../../../src/browser/find.ts';
import { type Gateway, startGateway } from '../../../src/browser/gateway/gateway.ts';
import { launchBrowser, type OwnedBrowser } from '../../../src/browser/launch.ts';
import { handOver } from '../../../src/task/given-files.ts';
import type { World } from '../../../src/world/world-proxy.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { connectDirectly } from '../direct-client.ts';
import { openWorld } from '../scene.ts';

// The files of another user of this machine.
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-files-'));
const contract = path.join(folder, 'contract.yaml');
writeFileSync(contract, 'the expected value');
// The browser may be another user: so these files are open to all users.
chmodSync(folder, 0o755);

const TAKING = `<input type="file"><a href="/report" download>Report</a><script>
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', async (event) => {
    event.preventDefault();
    document.title = await event.dataTransfer.files[0].text();
  });</script>`;
const REPORT = { headers: { 'content-disposition': 'attachment; filename="report.txt"' } };

let world: World;
let browser: OwnedBrowser;
let gateway: Gateway;
let defaultContext: string;
const clients: Browser[] = [];

beforeAll(async () => {
  world = await openWorld({
    'http://a.test/': TAKING,
    'http://a.test/report': () => new Response('figures', REPORT),
  });
  const { spki } = await sharedIdentity();
  // Outside the sandbox, which would hide the files from the browser itself.
  browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki, reach: 'machine' });
  browser.forwardTo(world.proxy.server);
  const { contextId } = await browser.observer.freshPage();
  defaultContext = contextId;
  gateway = await startGateway(browser);
});

// A client past the gateway has changed it.
beforeEach(() => browser.observer.downloads.keep(defaultContext, { isDefault: true }));

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

afterAll(async () => {
  await gateway.close();
  await browser.close();
  await world.close();
  rmSync(folder, { recursive: true });
});

interface Client {
  page: Page;
  session: CDPSession;
  whole: CDPSession;
}

/** An entrant: through the gateway, or past it to show what the browser itself would do. */
async function connect(to: OwnedBrowser | Gateway): Promise<Client> {
  const client = await ('url' in to ? chromium.connectOverCDP(to.url) : connectDirectly(to));
  clients.push(client);
  const [context] = client.contexts();
  if (context === undefined) throw new Error('there is no default context');
  const page = await context.newPage();
  await page.goto('http://a.test/');
  return { page, session: await context.newCDPSession(page), whole: await client.newBrowserCDPSession() };
}

/** The downloads that the judge has kept, with their files. */
async function kept() {
  const { downloads } = browser.observer;
  const listed = downloads.list(defaultContext);
  return listed.captured ? await downloads.read(defaultContext, listed.value) : [];
}

const REPORTED = [{ name: 'report.txt', state: 'completed', text: 'figures' }];

const READERS: [method: string, read: (client: Client) => Promise<unknown>][] = [
  [
    'DOM.setFileInputFiles',
    async ({ page, session }) => {
      const { root } = await session.send('DOM.getDocument');
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'input' });
      await session.send('DOM.setFileInputFiles', { files: [contract], nodeId });
      return await page.evaluate("document.querySelector('input').files[0].text()");
    },
  ],
  [
    'Input.dispatchDragEvent',
    async ({ page, session }) => {
      const data = { items: [], files: [contract], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, x: 9, y: 99, data });
      }
      await page.waitForFunction("document.title !== 'Test'");
      return await page.title();
    },
  ],
  [
    'Target.openDevTools',
    async ({ page, session, whole }) => {
      const { targetInfo } = await session.send('Target.getTargetInfo');
      const { targetId } = await whole.send('Target.openDevTools', { targetId: targetInfo.targetId });
      await whole.send('Target.closeTarget', { targetId });
      await page.bringToFront();
      return 'the expected value';
    },
  ],
];

test.each(READERS)('no file of this machine is read by %s', async (method, read) => {
  expect(await read(await connect(browser))).toBe('the expected value');
  const before = gateway.log.violations()[method] ?? 0;
  await expect(read(await connect(gateway))).rejects.toThrow('refused by Touchstone');
  expect(gateway.log.violations()[method]).toBe(before + 1);
});

test.each<[string, (client: Client, downloadPath: string) => Promise<unknown>]>([
  [
    'Browser.setDownloadBehavior',
    ({ whole }, downloadPath) => whole.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath }),
  ],
  [
    'Page.setDownloadBehavior',
    ({ session }, downloadPath) => session.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath }),
  ],
])('no file of this machine is written by a download: %s', async (method, allow) => {
  const place = mkdtempSync(path.join(folder, 'data-'));
  chmodSync(place, 0o777);
  const download = async (to: OwnedBrowser | Gateway): Promise<string> => {
    const client = await connect(to);
    await allow(client, place);
    await client.whole.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: place,
      eventsEnabled: true,
    });
    const ended = new Promise<string>((resolve) => {
      client.whole.on('Browser.downloadProgress', ({ state }) => {
        if (state !== 'inProgress') resolve(state);
      });
    });
    await client.page.click('a');
    return await ended;
  };
  expect(await download(gateway)).toBe('completed');
  expect(readdirSync(place)).toEqual([]);
  expect(await kept()).toMatchObject(REPORTED);
  expect(gateway.log.violations()[method]).toBeUndefined();
  expect(await download(browser)).toBe('completed');
  expect(readdirSync(place)).toEqual(['report.txt']);
});

test('a PDF that a client opens is a download, not a page of the browser’s own, which could open any file', async () => {
  const { page, whole } = await connect(gateway);
  await whole.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
  await whole.send('Target.setDiscoverTargets', { discover: true, filter: [{}] });
  const shown = new Promise<string>((resolve) => {
    whole.on('Browser.downloadWillBegin', ({ url }) => {
      if (url.startsWith('blob:')) resolve('a download');
    });
    for (const event of ['Target.targetCreated', 'Target.targetInfoChanged'] as const) {
      whole.on(event, ({ targetInfo: { url } }) => {
        if (url.startsWith('chrome-extension:')) resolve(url);
      });
    }
  });
  await page.evaluate("void open(URL.createObjectURL(new Blob(['%PDF-1.1'], { type: 'application/pdf' })))");
  expect(await shown).toBe('a download');
});

describe('a client uploads a file that the task gives', () => {
  const setFile = async ({ session, page }: Client, file: string): Promise<unknown> => {
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'input' });
    await session.send('DOM.setFileInputFiles', { files: [file], nodeId });
    return await page.evaluate("document.querySelector('input').files[0].text()");
  };

  test('as it was given, whatever the client does to its own copy, but no file next to it', async () => {
    const home = mkdtempSync(path.join(folder, 'home-'));
    const given = [{ name: 'given.txt', bytes: Buffer.from('as it was given') }];
    const lent = await browser.layFiles?.(given);
    const paths = await handOver(
      { here: home, inside: home },
      {
        files: given,
        foundAt: (found) => {
          gateway.lend(new Map([...found].map(([name, own]) => [own, path.join(lent ?? '', name)])));
        },
      },
    );
    const own = paths.get('given.txt') ?? '';
    expect(readFileSync(own, 'utf8')).toBe('as it was given');
    rmSync(own);
    symlinkSync(contract, own);
    symlinkSync(contract, path.join(path.dirname(own), 'other.txt'));
    const client = await connect(gateway);
    expect(await setFile(client, own)).toBe('as it was given');
    for (const other of ['other.txt', '../given.txt']) {
      await expect(setFile(client, path.join(path.dirname(own), other))).rejects.toThrow('refused by Touchstone');
    }
    await expect(setFile(client, path.join(lent ?? '', 'given.txt'))).rejects.toThrow('refused by Touchstone');
  });
});

test('a library uploads what it can read itself', async () => {
  const { page } = await connect(gateway);
  await page.setInputFiles('input', { name: 'own.txt', mimeType: 'text/plain', buffer: Buffer.from('its own') });
  expect(await page.evaluate("document.querySelector('input').files[0].text()")).toBe('its own');
});

test('a library connected in its usual way is notified of a download, and gets no file', async () => {
  const { page } = await connect(gateway);
  const begun = page.waitForEvent('download');
  await page.click('a');
  const download = await begun;
  expect(download.suggestedFilename()).toBe('report.txt');
  expect(await download.failure()).toBeNull();
  await expect(download.saveAs(path.join(folder, 'own.txt'))).rejects.toThrow('ENOENT');
  expect(await kept()).toMatchObject(REPORTED);
});

test.each(['deny', 'default'] as const)('a client suppresses no download by "%s", nor by its end', async (behavior) => {
  const { page, whole, session } = await connect(gateway);
  await whole.send('Browser.setDownloadBehavior', { behavior, eventsEnabled: false });
  await session.send('Page.setDownloadBehavior', { behavior });
  await page.evaluate("setTimeout(() => document.querySelector('a').click(), 500)");
  await clients.pop()?.close();
  await expect.poll(kept).toMatchObject(REPORTED);
});
