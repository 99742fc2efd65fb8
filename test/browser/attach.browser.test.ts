import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { attachBrowser } from '../../src/browser/attach.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { startGateway } from '../../src/browser/gateway/gateway.ts';
import { call, deciding, refOf, stage } from '../episode/staged-episode.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from '../cli/touchstone.ts';

const Targets = z.array(z.looseObject({ type: z.string(), title: z.string() }));
const DRIVER = fileURLToPath(new URL('../episode/fixtures/driver.mjs', import.meta.url));
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A browser as somebody else would start one, with a page of theirs open in it. */
async function theirs() {
  const profile = await temporaryFolder();
  const mine = 'data:text/html,<title>Mine</title>';
  const flags = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`, mine];
  const owner = spawn(requireBrowser('full').path, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(owner, 'exit');
  const end = async (): Promise<void> => {
    owner.kill();
    await ended;
  };
  closing.push(end);
  let said = '';
  for await (const chunk of owner.stderr) {
    said += String(chunk);
    if (said.includes('DevTools listening on')) break;
  }
  const address = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(said)?.[1]}`;
  const titles = async (): Promise<string[]> => {
    const targets = Targets.parse(await (await fetch(`${address}/json/list`)).json());
    return targets.filter(({ type }) => type === 'page').map(({ title }) => title);
  };
  await expect.poll(titles).toEqual(['Mine']);
  return { address, titles, end };
}

const finishing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
});
const PAGES = {
  '/': "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent = 'Done'\">Finish</button>",
};

test('an episode is judged in a browser that is not ours, which stays as it was', async () => {
  const { address, titles, end } = await theirs();
  const browser = await attachBrowser(address);
  expect(browser.identity).toMatchObject({ ours: false, sandbox: null, kind: 'full' });
  const { result } = await stage({ task: {}, pages: PAGES, agent: finishing, setup: { browser } });
  expect(result).toMatchObject({ status: 'passed', browserFit: true, violations: {} });
  await browser.close();
  await browser.ended;
  expect(browser.isFit()).toBe(false);
  expect(await browser.condition()).toBe('cut_off');
  expect(await titles()).toEqual(['Mine']);
  await end();
  expect(await browser.condition()).toBe('ended');
});

test('basics passes in a browser that is not ours, whose rows say so; a tool server is unavailable there', async () => {
  const { address, titles } = await theirs();
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone(
    'run',
    'basics',
    '-s',
    'aria,playwright-mcp',
    '--browser-endpoint',
    address,
    '--out',
    bundle,
  );
  expect(ran.out).toContain('not launched by Touchstone: all rows are diagnostic');
  const rows = readFileSync(path.join(bundle, 'rows.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(16);
  const led = expect.stringContaining('cannot be led into the world of a task');
  for (const row of rows) {
    const expected =
      row.surface === 'aria' ? { status: 'passed' } : { status: 'unavailable', null_reasons: { steps: led } };
    expect(row).toMatchObject({ browser: { ours: false }, ...expected });
  }
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0 });
  expect(await titles()).toEqual(['Mine']);
});

test('a gateway stands before a browser that is not ours as before ours', async () => {
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

test.each([
  ['nobody', 'http://127.0.0.1:9', 'no browser answers at'],
  ['nobody by WebSocket', 'ws://127.0.0.1:9/devtools/browser/1', 'no browser answers at'],
  ['another machine', 'http://browser.example:9222', 'is another machine'],
])('%s is no browser, and it is said what to do', async (_who, address, message) => {
  const attaching = attachBrowser(address);
  await expect(attaching).rejects.toMatchObject({
    code: 'no_endpoint',
    remedy: expect.stringMatching(/Touchstone|--remote-debugging-port/),
  });
  await expect(attaching).rejects.toThrow(message);
});

test('what answers and is no browser is none', async () => {
  const server = http.createServer((_request, response) => response.end('{"hello":"world"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await expect(attachBrowser(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'no_endpoint' });
});

test('what cannot be chosen beside a browser that runs already is refused', async () => {
  const args = ['run', 'basics', '--browser-endpoint', 'http://127.0.0.1:9'];
  const refused = await touchstone(...args, '--isolation', 'browser');
  expect(refused).toMatchObject({ exit: 2 });
  expect(refused.err).toContain('so --isolation cannot be chosen');
  expect((await touchstone('run', 'basics', '--browser-endpoint', 'here')).err).toContain('must be an address');
  const none = await touchstone(...args, '--out', path.join(await temporaryFolder(), 'bundle'));
  expect(none.err).toContain('no browser answers at http://127.0.0.1:9');
});

test('whoever looks for the port of a browser that is not ours finds it beside the gateway', async () => {
  const { address } = await theirs();
  const browser = await attachBrowser(address);
  closing.push(() => browser.close());
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
