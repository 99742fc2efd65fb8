import dgram from 'node:dgram';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startLocalWorld } from '../../src/world/local.ts';
import { createTlsIdentity } from '../../src/world/tls-identity.ts';
import { openScene } from '../browser/scene.ts';
import { machineBrowser, sharedBrowser } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { refusals } from './open-world.ts';

const PAGE = { 'https://a.test/': '<h1>Inside</h1>' };

/** A server on this machine that no page may reach; it notes requests. */
interface Canary extends AsyncDisposable {
  port: number;
  heard: string[];
}

async function canary(): Promise<Canary> {
  const heard: string[] = [];
  const tcp = http.createServer((_request, response) => response.end()).on('connection', () => heard.push('tcp'));
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  const address = tcp.address();
  if (address === null || typeof address === 'string') throw new Error('the canary has no port');
  const udp = dgram.createSocket('udp4').on('message', () => heard.push('udp'));
  await new Promise<void>((resolve) => udp.bind(address.port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    udp.close();
    tcp.closeAllConnections();
    await new Promise((resolve) => tcp.close(resolve));
  };
  return { port: address.port, heard, [Symbol.asyncDispose]: close };
}

function outcome(script: string): string {
  return `(async () => { ${script} })().then((value) => 'reached: ' + value, (error) => 'refused: ' + error)`;
}

describe('a page in a world', () => {
  test('is loaded over HTTP/2 from a secure origin', async () => {
    await using scene = await openScene(PAGE);
    await scene.page.goto('https://a.test/');
    expect(await scene.page.evaluate('isSecureContext')).toBe(true);
    expect(await scene.page.evaluate('performance.getEntriesByType("navigation")[0].nextHopProtocol')).toBe('h2');
  });

  test('is not loaded from a server with another key', async () => {
    const site = { origin: 'https://a.test', create: () => ({ fetch: () => new Response(''), state: () => null }) };
    const stranger = await startLocalWorld({
      sites: [{ ...site, hasState: false, standIn: false }],
      parameters: {},
      identity: await createTlsIdentity(),
      live: false,
    });
    const context = await (await (await sharedBrowser()).playwright()).newContext({ proxy: stranger.proxy });
    const page = await context.newPage();
    await expect(page.goto('https://a.test/')).rejects.toThrow('net::ERR_CERT_AUTHORITY_INVALID');
    await context.close();
    await stranger.close();
  });

  test.each(
    `
    https://b.test/ http://b.test/ https://a.test:8443/ http://a.test/ http://192.0.2.1/ http://localhost:8099/
    http://[::1]:8099/
  `
      .trim()
      .split(/\s+/),
  )('cannot be %s, which is outside', async (url) => {
    await using scene = await openScene(PAGE);
    const response = await scene.page.goto(url).catch(() => null);
    expect(response?.status() ?? 502).toBe(502);
    expect(refusals(scene.world)).toHaveProperty([url.replace(/^https:\/\/(.*)\/$/, '$1')]);
  });

  test('asks for what is outside once, and neither the browser nor anyone else asks again', async () => {
    await using scene = await openScene({ 'http://a.test/': '<h1>A</h1>' });
    await scene.page.goto('http://a.test/');
    await scene.page.goto('https://b.test/').catch(() => {});
    await (await scene.context.newPage()).goto('http://a.test/');
    expect(refusals(scene.world)).toEqual({ 'b.test': 1 });
  });

  test('does not see another world in another context of the same browser', async () => {
    await using one = await openScene({ 'https://a.test/': '<h1>One</h1>' });
    await using other = await openScene({ 'https://a.test/': '<h1>Other</h1>', 'https://b.test/': '<h1>B</h1>' });
    await Promise.all([one.page.goto('https://a.test/'), other.page.goto('https://a.test/')]);
    expect(await one.page.innerText('h1')).toBe('One');
    expect(await other.page.innerText('h1')).toBe('Other');
    await one.page.evaluate('document.cookie = "mine=1; Secure"; localStorage.mine = 1');
    await other.page.reload();
    expect(await other.page.evaluate('document.cookie + String(localStorage.mine)')).toBe('undefined');
    await expect(one.page.goto('https://b.test/')).rejects.toThrow('net::ERR_TUNNEL_CONNECTION_FAILED');
    expect(one.world.network()).toMatchObject({
      value: { entries: expect.not.arrayContaining([{ url: 'https://b.test/' }]) },
    });
  });
});

describe('a page in a world does not reach the machine', () => {
  const ways: [string, (port: number) => string][] = [
    ['fetch of an address', (port) => `return (await fetch('http://127.0.0.1:${port}/', { mode: 'no-cors' })).type`],
    ['fetch of localhost', (port) => `await fetch('http://localhost:${port}/'); return 1`],
    ['fetch of a name below localhost', (port) => `await fetch('http://x.localhost:${port}/'); return 1`],
    [
      'a WebSocket',
      (port) =>
        `await new Promise((yes, no) => { const s = new WebSocket('ws://127.0.0.1:${port}/'); s.onopen = yes; s.onerror = no; })`,
    ],
    [
      'an image',
      (port) =>
        `await new Promise((yes, no) => { const i = new Image(); i.onload = yes; i.onerror = no; i.src = 'http://127.0.0.1:${port}/'; })`,
    ],
    ['WebTransport', (port) => `await new WebTransport('https://127.0.0.1:${port}/').ready`],
    [
      'WebRTC',
      (port) => `
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
        peer.createDataChannel('x');
        const gathered = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => candidate ?? resolve(); });
        await peer.setLocalDescription(await peer.createOffer());
        await gathered;
        throw new Error('nobody answered')`,
    ],
  ];

  test.each(ways)('by %s', async (_, script) => {
    await using listener = await canary();
    // In the sandbox its network would be empty whatever the browser did, and WebRTC would wait for an interface.
    await using scene = await openScene({ 'http://a.test/': '<h1>Inside</h1>' }, await machineBrowser());
    await scene.page.goto('http://a.test/');
    await scene.page.evaluate(outcome(script(listener.port)));
    expect(listener.heard).toEqual([]);
  });

  test('and a page that bypasses every proxy reaches the canary', async () => {
    await using listener = await canary();
    const context = await (
      await (await machineBrowser()).playwright()
    ).newContext({ proxy: { server: 'http://127.0.0.1:1', bypass: '127.0.0.1' } });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${listener.port}/`);
    await context.close();
    expect(listener.heard).toContain('tcp');
  });

  test('and its requests are counted as refused', async () => {
    await using scene = await openScene({ 'http://a.test/': '<h1>Inside</h1>' });
    await scene.page.goto('http://a.test/');
    const script = `await fetch('http://127.0.0.1:8099/', { mode: 'no-cors' }); await fetch('http://localhost:8099/', { mode: 'no-cors' })`;
    await scene.page.evaluate(outcome(script));
    expect(refusals(scene.world)).toMatchObject({ 'http://127.0.0.1:8099/': 1, 'http://localhost:8099/': 1 });
  });
});

describe('a page in a world reads no file of this machine', () => {
  const SECRET = 'the expected value';
  const ways: [string, (file: string) => string][] = [
    ['fetch', (file) => `document.body.append(await (await fetch('${file}')).text())`],
    [
      'a frame',
      (file) => `const f = document.createElement('iframe'); f.src = '${file}'; document.body.append(f); return 1`,
    ],
    ['a window', (file) => `open('${file}'); return 1`],
    ['going there itself', (file) => `location.href = '${file}'; return 1`],
    ['a script that is imported', (file) => `document.body.append((await import('${file}')).default)`],
  ];

  test.each(ways)('by %s', async (_, script) => {
    const folder = await temporaryFolder();
    // The browser may be another user; only the rules for pages may hold it back.
    await chmod(folder, 0o755);
    const file = path.join(folder, 'contract.js');
    await writeFile(file, `export default '${SECRET}'`);
    const { href } = pathToFileURL(file);
    await using scene = await openScene({ 'http://a.test/': '<h1>Inside</h1>' }, await machineBrowser());
    await scene.page.goto('http://a.test/');
    await scene.page.evaluate(outcome(script(href)));
    const shown = JSON.stringify(await scene.capture());
    expect(shown).toContain('Inside');
    expect(shown).not.toContain(SECRET);
    // Who is no page is shown it.
    await scene.page.goto(href);
    expect(await scene.page.innerText('body')).toContain(SECRET);
  });
});

test('a page may not open a WebSocket to its own world, and the attempt is counted', async () => {
  await using scene = await openScene({ 'http://a.test/': '<h1>Inside</h1>', ...PAGE });
  await scene.page.goto('http://a.test/');
  const open = (url: string): string =>
    outcome(`await new Promise((yes, no) => { const s = new WebSocket('${url}'); s.onopen = yes; s.onerror = no; })`);
  expect(await scene.page.evaluate(open('ws://a.test/'))).toMatch(/^refused/);
  expect(await scene.page.evaluate(open('wss://a.test/'))).toMatch(/^refused/);
  expect(refusals(scene.world)).toEqual({ 'ws://a.test/': 1, 'wss://a.test/': 1 });
});

test('requests of a page are in the log of its world as the world received them', async () => {
  const echo = (): Response => new Response(null, { status: 303, headers: { location: '/done' } });
  await using scene = await openScene({
    'http://a.test/':
      '<form method="post" action="/send"><input name="x" value="1 &amp; 2"><button>Send</button></form>',
    'http://a.test/send': echo,
    'http://a.test/done': '<h1>Done</h1>',
  });
  await scene.page.goto('http://a.test/');
  await scene.page.click('button');
  await scene.page.waitForURL('http://a.test/done');
  const network = scene.world.network();
  const entries = network.captured ? network.value.entries.filter(({ url }) => !url.endsWith('.ico')) : [];
  expect(entries).toMatchObject([
    { method: 'GET', url: 'http://a.test/', status: 200, request_body: null },
    { method: 'POST', url: 'http://a.test/send', status: 303, request_body: 'x=1+%26+2' },
    { method: 'GET', url: 'http://a.test/done', status: 200, request_body: null },
  ]);
});
