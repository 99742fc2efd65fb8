import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../src/contract/message-of.ts';
import type { ObservedPage, Observer } from '../../src/browser/observer.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OutsideTargets } from '../../src/browser/outside-targets.ts';
import { type BrowserKind, findBrowser, requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser, type OwnedBrowser } from '../../src/browser/launch.ts';
import { doorAt } from '../../src/process/sandbox/browser.ts';
import { portOf } from '../../src/process/listening-port.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { canBubblewrap } from '../../src/process/sandbox/bubblewrap.ts';
import { openScene } from './scene.ts';

const OPEN_MS = 10_000;
const SECRET = 'the expected value of a contract';

const watch = OutsideTargets.watch.bind(OutsideTargets);

let ports: net.Server;
let heard = 0;
const folders: string[] = [];
const files: string[] = [];
beforeAll(async () => {
  ports = net.createServer((socket) => {
    heard += 1;
    socket.on('error', () => {}).end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${SECRET}`);
  });
  await once(ports.listen(0, '127.0.0.1'), 'listening');
  for (const place of [tmpdir(), homedir(), packageRoot()]) {
    const folder = await mkdtemp(path.join(place, 'canary-'));
    folders.push(folder);
    await chmod(folder, 0o755);
    files.push(path.join(folder, 'contract.txt'));
    await writeFile(files.at(-1) ?? '', SECRET);
  }
});
afterAll(async () => {
  ports.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

/** Opens an address on the judge's own connection, as if no gateway were there, and returns what the page shows, or why it does not. */
async function shownAt({ observer }: OwnedBrowser, url: string, context?: string): Promise<string> {
  const page = await observer.newPage(context);
  try {
    await observer.open(page, url, OPEN_MS);
    return await valueIn(observer, page, 'document.documentElement.innerText');
  } catch (error) {
    return messageOf(error);
  } finally {
    await observer.cdp.send('Target.closeTarget', { targetId: page.targetId });
  }
}

async function shownDirectly(browser: OwnedBrowser, url: string): Promise<string> {
  const direct = { proxyServer: 'direct://' };
  const { browserContextId } = await browser.observer.cdp.send('Target.createBrowserContext', direct);
  return await shownAt(browser, url, browserContextId);
}

async function valueIn({ cdp }: Observer, { sessionId }: ObservedPage, expression: string): Promise<string> {
  const { result } = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true }, { sessionId });
  return String(result.value);
}

/** Asks the front end of DevTools, a window of the browser's own, for an address that no page may load. */
async function loadedByDevTools({ observer }: OwnedBrowser, url: string): Promise<string> {
  const page = await observer.newPage();
  // It never settles.
  await observer.open(page, 'devtools://devtools/bundled/devtools_app.html', OPEN_MS).catch(() => {});
  const load = `new Promise((done) => {
    let text = '';
    DevToolsAPI.streamWrite = (_stream, chunk) => { text += chunk; };
    InspectorFrontendHost.loadNetworkResource('${url}', '', 1, (reply) => done(JSON.stringify(reply) + text));
  })`;
  return await valueIn(observer, page, load);
}

const KINDS = (['full', 'shell'] as const).filter((kind) => canBubblewrap() && findBrowser(kind) !== null);

/** Leaves windows of the browser itself open, as if all that comes before the sandbox had failed. */
async function launch(kind: BrowserKind, reach: 'worlds' | 'machine'): Promise<OwnedBrowser> {
  vi.spyOn(OutsideTargets, 'watch').mockImplementation(() => watch(null));
  return await launchBrowser({ binary: requireBrowser(kind), reach });
}

describe.each(KINDS)('a browser in its sandbox (%s)', (kind) => {
  let browser: OwnedBrowser;
  beforeAll(async () => {
    browser = await launch(kind, 'worlds');
  });
  afterAll(() => browser.close());

  test('reports it, and has the sandbox of Chromium inside', () => {
    expect(browser.identity).toMatchObject({ isolation: 'bubblewrap', sandbox: true });
  });

  test('shows no file of this machine', async () => {
    for (const file of [...files, '/etc/passwd', '/etc/hostname', import.meta.filename]) {
      expect(await shownAt(browser, `file://${file}`)).toContain('ERR_FILE_NOT_FOUND');
    }
    for (const place of [homedir(), packageRoot(), '/var/lib', '/sys']) {
      expect(await shownAt(browser, `file://${place}/`)).toContain('ERR_FILE_NOT_FOUND');
    }
    expect(await shownAt(browser, `file://${tmpdir()}/`)).not.toContain('canary');
  });

  test('shows no process of this machine', async () => {
    expect(await shownAt(browser, `file:///proc/${process.pid}/cmdline`)).not.toContain('vitest');
  });

  test('reaches no port of this machine, even past its proxies', async () => {
    const before = heard;
    const address = `http://127.0.0.1:${portOf(ports)}/`;
    expect(await shownDirectly(browser, address)).toContain('ERR_CONNECTION_REFUSED');
    expect(await shownAt(browser, address)).not.toContain(SECRET);
    expect(heard).toBe(before);
  });

  test('has a way to a world for as long as the context of that world', async () => {
    const { cdp } = browser.observer;
    const proxyServer = `http://127.0.0.1:${portOf(ports)}`;
    const { browserContextId } = await cdp.send('Target.createBrowserContext', { proxyServer });
    expect(await shownAt(browser, 'http://a.test/', browserContextId)).toBe(SECRET);
    const shown = async () =>
      await Promise.all([2, 3, 4, 5].map((number) => shownDirectly(browser, `http://${doorAt(number)}/`)));
    expect(await shown()).toContain(SECRET);
    await cdp.send('Target.disposeBrowserContext', { browserContextId });
    expect(await shown()).not.toContain(SECRET);
  });

  test('is online for its pages', async () => {
    await using scene = await openScene({ 'http://a.test/': '<h1>A</h1>' }, browser);
    await scene.page.goto('http://a.test/');
    expect(await scene.page.evaluate('navigator.onLine')).toBe(true);
  });

  test('keeps worlds apart, and leads nowhere once a context has ended', async () => {
    for (const name of ['one', 'two']) {
      await using scene = await openScene({ 'http://a.test/': `<h1>${name}</h1>` }, browser);
      await scene.page.goto('http://a.test/');
      expect(await scene.page.innerText('h1')).toBe(name);
    }
  });
});

describe.each(KINDS)('a browser outside of a sandbox (%s)', (kind) => {
  let browser: OwnedBrowser;
  beforeAll(async () => {
    browser = await launch(kind, 'machine');
  });
  afterAll(() => browser.close());

  test('reports it', () => {
    expect(browser.identity.isolation).not.toBe('bubblewrap');
  });

  test('shows files, processes and ports of this machine, which is why there is a sandbox', async () => {
    expect(await shownAt(browser, `file://${files[0]}`)).toContain(SECRET);
    expect(await shownAt(browser, 'file:///etc/passwd')).toContain('root:');
    expect(await shownDirectly(browser, `http://127.0.0.1:${portOf(ports)}/`)).toContain(SECRET);
  });
});

describe.runIf(canBubblewrap() && findBrowser('full') !== null)('the front end of DevTools', () => {
  test.each([
    ['in a sandbox, loads no file', 'worlds', false],
    ['elsewhere, loads what the browser can read', 'machine', true],
  ] as const)('%s', async (_, reach, loads) => {
    const browser = await launch('full', reach);
    const shown = await loadedByDevTools(browser, `file://${files[0]}`);
    await browser.close();
    expect(shown).toContain('statusCode');
    expect(shown.includes(SECRET)).toBe(loads);
  });
});
