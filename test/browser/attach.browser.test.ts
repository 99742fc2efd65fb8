import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { attachBrowser } from '../../src/browser/attach.ts';
import { startGateway } from '../../src/browser/gateway/gateway.ts';
import { call, deciding, refOf, stage } from '../episode/staged-episode.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from '../cli/touchstone.ts';
import { startTouchstoneWith } from '../cli/touchstone-process.ts';
import { certificateFor } from '../world/live/web-server.ts';
import { guardedEndpoint } from './guarded-endpoint.ts';
import { type TheirBrowser, theirBrowser } from './their-browser.ts';

const DRIVER = fileURLToPath(new URL('../episode/fixtures/driver.mjs', import.meta.url));
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function theirs(): Promise<TheirBrowser> {
  const browser = await theirBrowser();
  closing.push(browser.end);
  return browser;
}

const finishing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
});
const PAGES = {
  '/': "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent = 'Done'\">Finish</button>",
};

test.each(['address', 'socket'] as const)(
  'a browser that is not ours is reached by its %s for judging, and stays',
  async (by) => {
    const { [by]: named, titles, end } = await theirs();
    const browser = await attachBrowser(named);
    expect(browser.identity).toMatchObject({ ours: false, sandbox: null, kind: 'full' });
    const { result } = await stage({ task: {}, pages: PAGES, agent: finishing, setup: { browser } });
    expect(result).toMatchObject({ status: 'passed', browserFit: true, violations: {} });
    await browser.close();
    await browser.ended;
    expect(browser.isFit()).toBe(false);
    expect(await browser.condition()).toBe('cut_off');
    // It closes our context once we have gone.
    await expect.poll(titles).toEqual(['Mine']);
    await end();
    expect(await browser.condition()).toBe('ended');
  },
);

test('basics passes in a browser that is not ours through a surface of ours, as its rows record', async () => {
  const { address, titles } = await theirs();
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const args = ['-t', 'iframe-vote,new-tab-terms', '-s', 'aria', '--browser-endpoint', address, '--out', bundle];
  const ran = await touchstone('run', 'basics', ...args);
  expect(ran.out).toContain('not launched by Touchstone: all rows are diagnostic');
  const rows = readFileSync(path.join(bundle, 'rows.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({ status: 'passed', isolation: 'context', browser: { ours: false }, violations: {} });
  }
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0 });
  expect(await titles()).toEqual(['Mine']);
});

test('a tool attached to all of it would open its pages among those of its user', async () => {
  const { address, titles } = await theirs();
  const browser = await attachBrowser(address);
  closing.push(() => browser.close());
  const gateway = await startGateway(browser);
  closing.push(() => gateway.close());
  const { browserContextId: own } = await browser.observer.cdp.send('Target.createBrowserContext');
  const client = await chromium.connectOverCDP(gateway.url);
  const opened = await client.contexts()[0]?.newPage();
  await opened?.setContent('<title>Beside it</title>');
  expect(await titles()).toEqual(['Beside it', 'Mine']);
  expect(browser.observer.pages(own)).toEqual([]);
  await opened?.close();
  await client.close();
});

test('a gateway guards a browser that is not ours like one of ours', async () => {
  const { address } = await theirs();
  const browser = await attachBrowser(address);
  closing.push(() => browser.close());
  const gateway = await startGateway(browser);
  closing.push(() => gateway.close());
  const client = await chromium.connectOverCDP(gateway.url);
  expect(client.contexts()).toHaveLength(1);
  expect(gateway.log.commands).toBeGreaterThan(0);
  await client.close();
});

const GUARD = { user: 'user', password: 'hunter2222', token: 'sesame-4711' };
const SECRETS = [GUARD.password, GUARD.token];

test('the secrets of an endpoint are neither printed nor written', async () => {
  const { address, titles } = await theirs();
  const folder = await temporaryFolder();
  const pair = await certificateFor(['localhost']);
  const cert = path.join(folder, 'cert.pem');
  await writeFile(cert, pair.cert);
  const guarded = await guardedEndpoint(address, { ...GUARD, tls: pair });
  closing.push(guarded.close);
  const named = `https://user:hunter2222@localhost:${guarded.port}/?token=sesame-4711`;
  const bundle = path.join(folder, 'bundle');
  const words = ['run', 'basics', '-t', 'example-h1', '--browser-endpoint', named, '--out', bundle];
  const distrusting = startTouchstoneWith({}, ...words);
  expect(await distrusting.ended).toBe(3);
  expect(distrusting.said()).toContain(`no browser answers at https://localhost:${guarded.port}: `);
  expect(distrusting.said()).toContain('certificate');

  const running = startTouchstoneWith({ NODE_EXTRA_CA_CERTS: cert }, ...words);
  expect(await running.ended).toBe(0);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  const written = await readdir(bundle, { recursive: true, withFileTypes: true });
  const files = written.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  const texts = files.map((file) => readFileSync(file, 'latin1'));
  for (const text of [distrusting.said(), running.said(), ...texts]) expect(holdsSecret(text)).toBe(false);
  expect(await titles()).toEqual(['Mine']);
});

test('a token that a page shows is replaced there as well', async () => {
  const { address } = await theirs();
  const onPage = 'in a local world';
  const guarded = await guardedEndpoint(address, { ...GUARD, token: onPage });
  closing.push(guarded.close);
  const named = `http://user:hunter2222@127.0.0.1:${guarded.port}/?token=${encodeURIComponent(onPage)}`;
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', 'basics', '-t', 'example-h1', '--browser-endpoint', named, '--out', bundle);
  const file = (await readdir(bundle, { recursive: true })).find((each) => each.endsWith('events.jsonl')) ?? '';
  const events = readFileSync(path.join(bundle, file), 'utf8');
  expect(events).toContain('[secret:BROWSER_ENDPOINT]');
  expect(events).not.toContain(onPage);
});

function holdsSecret(text: string): boolean {
  return SECRETS.some((secret) => text.includes(secret));
}

test.each(['http', 'ws'])('a wrong token by %s is reported as refused, without the token', async (by) => {
  const { address, socket } = await theirs();
  const guarded = await guardedEndpoint(address, { ...GUARD, token: 'another-0815' });
  closing.push(guarded.close);
  const { pathname } = new URL(by === 'ws' ? socket : address);
  const attaching = attachBrowser(`${by}://user:hunter2222@127.0.0.1:${guarded.port}${pathname}?token=sesame-4711`);
  await expect(attaching).rejects.toMatchObject({
    code: 'endpoint_unreachable',
    params: { shown: `${by}://127.0.0.1:${guarded.port}`, why: expect.stringMatching(/401$/) },
  });
});

test.each([
  ['http://127.0.0.1:10', 'http://127.0.0.1:10'],
  ['http://localhost:10', 'http://localhost:10'],
  ['ws://127.0.0.1:10/devtools/browser/1', 'ws://127.0.0.1:10'],
  ['http://u:p@127.0.0.1:10', 'http://127.0.0.1:10'],
])('at %s no browser is reached', async (address, shown) => {
  await expect(attachBrowser(address)).rejects.toMatchObject({
    code: 'endpoint_unreachable',
    params: { shown, why: expect.stringContaining('connect ECONNREFUSED') },
  });
});

test.each(['http', 'ws'])('Node speaks the protocol too, and is not Chromium (%s)', async (by) => {
  const node = spawn(process.execPath, ['--inspect=0', '--eval', 'setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(node, 'exit');
  closing.push(async () => {
    node.kill();
    await ended;
  });
  const said = String((await once(node.stderr, 'data'))[0]);
  const socket = /ws:\/\/\S+/.exec(said)?.[0] ?? '';
  const attaching = attachBrowser(by === 'ws' ? socket : `http://${new URL(socket).host}`);
  await expect(attaching).rejects.toMatchObject({ code: 'endpoint_not_chromium' });
});

test('an answer from another program is no browser', async () => {
  const server = http.createServer((_request, response) => response.end('{"hello":"world"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const attaching = attachBrowser(`http://127.0.0.1:${port}`);
  await expect(attaching).rejects.toMatchObject({
    code: 'endpoint_not_chromium',
    params: { why: 'its /json/version names no WebSocket of a browser' },
  });
  await expect(attachBrowser(`ws://127.0.0.1:${port}`)).rejects.toThrow('Unexpected server response: 200');
});

test('options that a running browser has settled are refused', async () => {
  const args = ['run', 'basics', '--browser-endpoint', 'http://127.0.0.1:10'];
  const refused = await touchstone(...args, '--isolation', 'browser');
  expect(refused).toMatchObject({ exit: 2 });
  expect(refused.err).toContain('so --isolation cannot be chosen');
  const other = await touchstone('run', 'basics', '--browser-endpoint', 'ftp://user:hunter2222@127.0.0.1:10');
  expect(other.err).toContain('--browser-endpoint <url> must be an address such as http://127.0.0.1:9222 or ws://');
  expect(other.err).not.toContain('hunter2222');
  const none = await touchstone(...args, '--out', path.join(await temporaryFolder(), 'bundle'));
  expect(none.err).toContain('no browser answers at http://127.0.0.1:10');
});

test('a search for the port of a browser that is not ours finds it next to the gateway', async () => {
  const { address } = await theirs();
  const browser = await attachBrowser(address);
  closing.push(() => browser.close());
  // The fixture knows a port by the pages that the gateway lists too.
  await browser.observer.cdp.send('Target.createTarget', { url: 'about:blank' });
  const gateway = await startGateway(browser);
  closing.push(() => gateway.close());
  const looking = spawn(process.execPath, [DRIVER, 'looks for debugging ports'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  looking.stdin.end(JSON.stringify({ cdp_url: gateway.url }));
  const [own, found] = [gateway.url, address].map((each) => new URL(each).port);
  // It holds its connection, and ends when it is ended.
  closing.push(async () => looking.kill());
  const said = String((await once(looking.stdout, 'data'))[0]);
  expect(said).toContain(`"found ${own}, ${found}"`);
});
