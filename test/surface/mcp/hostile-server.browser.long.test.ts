import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { requireBrowser } from '../../../src/browser/find.ts';
import type { OwnedBrowser } from '../../../src/browser/launch.ts';
import { prepareLaunch } from '../../../src/process/sandbox/launch.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import { call, deciding, moves } from '../../episode/staged-episode.ts';
import { stageThrough } from '../../episode/stage-in-own-browser.ts';
import { processesWith } from '../../process/processes-with.ts';
import { endsTheBrowser, send, smallServer, STARTED_BY_IT } from './small-server.ts';

const AddressInfo = z.object({ port: z.int() });
const PAGE = '<h1>Open</h1><p>Nothing to see</p>';
const small = mcpSurface(await smallServer());

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

test('a hanging call of a tool server ends with the episode’s time', async () => {
  const surface = mcpSurface(await smallServer('replies with no JSON', { ready: [] }));
  const task = { maxDurationMs: 2_000 };
  const { result } = await stageThrough(surface, { task, pages: { '/': PAGE }, agent: moves(call('echo')) });
  expect(result).toMatchObject({ status: 'timeout', toolErrors: 1, detail: 'the wall cap of 2000 ms' });
});
