import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Entrants } from '../../../src/plan/entrants.ts';
import { requireBrowser } from '../../../src/browser/find.ts';
import type { OwnedBrowser } from '../../../src/browser/launch.ts';
import type { Json } from '../../../src/contract/json.ts';
import { canBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { prepareLaunch } from '../../../src/process/sandbox/launch.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import type { ServerFile } from '../../../src/surface/mcp/server-file.ts';
import type { EndpointSurface } from '../../../src/surface/surface.ts';
import { call, deciding, moves, ORIGIN, refOf } from '../../episode/staged-episode.ts';
import { stageThrough } from '../../episode/stage-in-own-browser.ts';
import { processesWith } from '../../process/processes-with.ts';
import { processOf } from '../../browser/traces.ts';
import { smallServer, STARTED_BY_IT } from './small-server.ts';

const AddressInfo = z.object({ port: z.int() });
const PAGE = '<h1>Open</h1><p>Nothing to see</p>';

const small = mcpSurface(await smallServer());
const playwrightMcp = await builtIn('playwright-mcp');

/** A tool server that comes with Touchstone. */
async function builtIn(id: string): Promise<EndpointSurface> {
  const surface = (await Entrants.load()).surface(id);
  if (surface.needs !== 'endpoint') throw new Error(`${id} is not a tool server`);
  return surface;
}

/** A server that kills the browser that it is given. */
async function endsTheBrowser(browser: OwnedBrowser): Promise<ServerFile> {
  const pid = String(await processOf(browser));
  return await smallServer('ends the browser', { ready: [], args: ['{{cdpUrl}}', 'ends the browser', pid] });
}

function send(method: string, params: Json) {
  return { kind: 'call', call: { tool: 'send', args: { method, params } } } as const;
}

test('playwright-mcp works on the pages of the world and is judged like any other', async () => {
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('browser_snapshot');
    return turn === 1 ? call('browser_click', { target: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
  });
  const pages = {
    '/': "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent = 'Done'\">Finish</button>",
  };
  const { result, events } = await stageThrough(playwrightMcp, { task: {}, pages, agent });
  expect(result).toMatchObject({ status: 'passed', steps: 2, toolErrors: 0, violations: {} });
  expect(events.find(({ type }) => type === 'tools')).toMatchObject({
    names: expect.arrayContaining(['browser_snapshot']),
  });
});

test('attempts of a tool server to leave the world fail, and are counted', async () => {
  const agent = moves(call('browser_navigate', { url: 'https://www.wikipedia.org/' }));
  const { result } = await stageThrough(playwrightMcp, { task: {}, pages: { '/': PAGE }, agent });
  expect(result.status).toBe('failed');
  expect(result.violations).toEqual({ outside_world: expect.any(Number) });
});

test('a forged response, a file and the end of the browser are refused, and violations are named', async () => {
  const agent = moves(
    send('Fetch.fulfillRequest', { requestId: '1', responseCode: 200 }),
    send('Page.navigate', { url: 'file:///etc/passwd' }),
    send('Browser.close', {}),
  );
  const { result, events } = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent });
  expect(result).toMatchObject({ status: 'failed', violations: { 'Fetch.fulfillRequest': 1, 'Page.navigate': 1 } });
  const replies = events.flatMap((event) => (event.type === 'result' ? [event.text] : []));
  expect(replies).toHaveLength(3);
  for (const reply of replies) expect(reply).toContain('refused by Touchstone');
});

test('a page cannot be crashed through the gateway', async () => {
  const agent = moves(send('Page.crash', {}), send('Memory.prepareForLeakDetection', {}), send('Page.printToPDF', {}));
  const { result } = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent });
  expect(result).toMatchObject({
    status: 'failed',
    violations: { 'Page.crash': 1, 'Memory.prepareForLeakDetection': 1 },
  });
});

test('a command that is not on the list is refused and named, but not a violation', async () => {
  const agent = moves(send('Emulation.setVirtualTimePolicy', { policy: 'pause' }), send('Page.getLayoutMetrics', {}));
  const { result, events } = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent });
  expect(result.violations).toEqual({});
  expect(events.find(({ type }) => type === 'gateway')).toMatchObject({
    refused: { 'Emulation.setVirtualTimePolicy': 1 },
  });
});

const SANDBOXES = canBubblewrap() ? ['in a sandbox'] : [];

test.each(SANDBOXES)('a tool server %s finds neither the browser process nor our files', async () => {
  const agent = moves(call('echo'));
  const { result, events } = await stageThrough(async (browser) => mcpSurface(await endsTheBrowser(browser)), {
    task: {},
    pages: { '/': PAGE },
    agent,
  });
  expect(result).toMatchObject({ status: 'failed', goal: 'fail' });
  expect(events).toContainEqual({ type: 'isolated', by: 'bubblewrap', network: 'gateway' });
});

test('a tool server that ends the browser gains no second attempt', async () => {
  // As on a machine without sandboxes, for anybody but root.
  const ending = async (browser: OwnedBrowser) =>
    mcpSurface(await endsTheBrowser(browser), async (confinedIn, cdpUrl, hidden) => {
      const launch = await prepareLaunch(confinedIn, cdpUrl, hidden, false);
      return { ...launch, uid: null, isolation: { by: 'none', network: 'shared' } };
    });
  const { result } = await stageThrough(ending, { task: {}, pages: { '/': PAGE }, agent: moves(call('echo')) });
  expect(result).toMatchObject({ status: 'agent_error', browserFit: false });
  expect(result.detail).toBe('the browser process ended during the episode, after the entrant had begun to use it');
});

test('a tool server that paints the expected heading gains no pass if the page is loaded again', async () => {
  const expression = "document.querySelector('h1').textContent = 'Done'";
  const agent = moves(send('Runtime.evaluate', { expression }));
  const heading = { kind: 'dom_text', selector: 'h1', contains: 'Done' } as const;
  const painted = await stageThrough(small, {
    task: { success: { ...heading, fresh: true } },
    pages: { '/': PAGE },
    agent,
  });
  expect(painted.result).toMatchObject({ status: 'failed', goal: 'fail' });
  expect(painted.result.decisive?.leaf).toMatchObject({
    expected: { code: 'text_contains', params: { fresh: true } },
    observed: { preview: 'Open' },
  });
  const { result } = await stageThrough(small, { task: { success: heading }, pages: { '/': PAGE }, agent });
  expect(result.goal).toBe('pass');
});

test('a page reaches no other port of this machine, so that it cannot ask a judge there', async () => {
  const server = createServer((_request, response) => response.end('the state')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = AddressInfo.parse(server.address());
  const agent = moves(send('Page.navigate', { url: `http://127.0.0.1:${port}/state` }));
  const { result, evidence } = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent });
  server.close();
  expect(result.status).toBe('failed');
  expect(result.violations).toEqual({ outside_world: expect.any(Number) });
  expect(JSON.stringify(evidence.end)).not.toContain('the state');
});

test('a tool server that sends this browser no command has not done the work, even if the state of the app fits', async () => {
  let sent = false;
  const agent = deciding((_last, turn) => {
    if (turn === 0) return call('echo', { text: 'sent' });
    // As by another way than this browser.
    sent = true;
    return { kind: 'done', answer: null };
  });
  const success = { kind: 'app_state', pointer: '/sent', equals: true } as const;
  const staged = { task: { success }, pages: { '/': PAGE }, agent, state: () => ({ sent }) };
  const { result } = await stageThrough(small, staged);
  expect(result).toMatchObject({
    status: 'agent_error',
    goal: 'pass',
    detail: 'calls were made, and this browser received no command from them',
  });
});

test('a tool server that does the work in another browser gains no pass, and that browser ends with it', async () => {
  const { path: browser } = requireBrowser('full');
  const agent = moves(call('elsewhere', { browser }));
  const { result, events } = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent });
  const replies = events.flatMap((event) => (event.type === 'result' ? [event.text] : []));
  expect(replies[0]).toContain('"value":"Done"');
  expect(result).toMatchObject({
    status: 'agent_error',
    goal: 'fail',
    detail: 'calls were made, and this browser received no command from them',
  });
  expect(processesWith(`other-${STARTED_BY_IT}`)).toEqual([]);
});

test('an agent goes on after a crash of its tool server, with an error at every call', async () => {
  const surface = mcpSurface(await smallServer('crashes in a call', { ready: [] }));
  const agent = moves(call('echo'), call('look'), call('echo'));
  const { result, events } = await stageThrough(surface, { task: {}, pages: { '/': PAGE }, agent });
  const replies = events.flatMap((event) => (event.type === 'result' ? [event] : []));
  expect(replies).toHaveLength(3);
  for (const reply of replies)
    expect(reply).toMatchObject({ ok: false, text: expect.stringContaining('out of cheese') });
  expect(result).toMatchObject({ stop: 'agent_error', steps: 3, toolErrors: 3 });
});

test('a hanging call of a tool server ends with the episode’s time', async () => {
  const surface = mcpSurface(await smallServer('replies with no JSON', { ready: [] }));
  const task = { maxDurationMs: 2_000 };
  const { result } = await stageThrough(surface, { task, pages: { '/': PAGE }, agent: moves(call('echo')) });
  expect(result).toMatchObject({ status: 'timeout', toolErrors: 1, detail: 'the wall cap of 2000 ms' });
});

test('the start page is open before a tool server starts', async () => {
  const { evidence } = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent: moves() });
  expect(evidence.start?.pages).toMatchObject([{ url: { captured: true, value: `${ORIGIN}/` } }]);
});
