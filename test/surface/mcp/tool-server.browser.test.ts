import { beforeAll, describe, expect, test } from 'vitest';
import { Entrants } from '../../../src/plan/entrants.ts';
import { canBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import type { EndpointSurface } from '../../../src/surface/surface.ts';
import { call, deciding, moves, ORIGIN, type Performance, refOf } from '../../episode/staged-episode.ts';
import { stageThrough } from '../../episode/stage-in-own-browser.ts';
import { endsTheBrowser, send, smallServer } from './small-server.ts';

const PAGE = '<h1>Open</h1><p>Nothing to see</p>';

const small = mcpSurface(await smallServer());
const playwrightMcp = await builtIn('playwright-mcp');

/** A tool server that comes with Touchstone. */
async function builtIn(id: string): Promise<EndpointSurface> {
  const surface = (await Entrants.load()).surface(id);
  if (surface.needs !== 'endpoint') throw new Error(`${id} is not a tool server`);
  return surface;
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

describe('what a tool server may not send', () => {
  const FORBIDDEN = [
    send('Fetch.fulfillRequest', { requestId: '1', responseCode: 200 }),
    send('Page.navigate', { url: 'file:///etc/passwd' }),
    send('Browser.close', {}),
    send('Page.crash', {}),
    send('Memory.prepareForLeakDetection', {}),
    send('Page.printToPDF', {}),
  ];
  const UNLISTED = send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
  let sent: Performance;
  beforeAll(async () => {
    const agent = moves(...FORBIDDEN, UNLISTED, send('Page.getLayoutMetrics', {}));
    sent = await stageThrough(small, { task: {}, pages: { '/': PAGE }, agent });
  });

  test('a forged response, a file and the end of the browser are refused, and violations are named', () => {
    expect(sent.result).toMatchObject({
      status: 'failed',
      violations: { 'Fetch.fulfillRequest': 1, 'Page.navigate': 1 },
    });
    const replies = sent.events.flatMap((event) => (event.type === 'result' ? [event.text] : []));
    expect(replies).toHaveLength(8);
    for (const reply of replies.slice(0, 3)) expect(reply).toContain('refused by Touchstone');
    expect(replies.at(-1)).not.toContain('refused by Touchstone');
  });

  test('a page cannot be crashed', () => {
    expect(sent.result.violations).toMatchObject({ 'Page.crash': 1, 'Memory.prepareForLeakDetection': 1 });
  });

  test('a command that is not on the list is refused and named, but not a violation', () => {
    for (const name of ['Emulation.setVirtualTimePolicy', 'Page.getLayoutMetrics'])
      expect(sent.result.violations).not.toHaveProperty([name]);
    expect(sent.events.find(({ type }) => type === 'gateway')).toMatchObject({
      refused: { 'Emulation.setVirtualTimePolicy': 1 },
    });
  });

  test('the start page is open before it starts', () => {
    expect(sent.evidence.start?.pages).toMatchObject([{ url: { captured: true, value: `${ORIGIN}/` } }]);
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
