import { expect, test } from 'vitest';
import { POINTS, shipping, shippingSlowly } from './late-shop.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { call, deciding, moves, ORIGIN, refOf, stage } from './staged-episode.ts';

test.each(POINTS)('an order shipped by a timer while the judge is at %s does not pass', async (point) => {
  const { result, isShipped, reached } = await shipping({ way: 'a timer', point });
  expect(reached).toContain(point);
  expect({ isShipped, isPassed: result.status === 'passed' }).not.toEqual({ isShipped: true, isPassed: true });
});

test('an order shipped by a timer before the end fails the guard', async () => {
  expect(await shipping({ way: 'a timer', point: null })).toMatchObject({
    isShipped: true,
    result: { status: 'failed' },
  });
});

test('a shop without shipped orders passes', async () => {
  expect(await shipping({ way: 'a timer', point: 'never' })).toMatchObject({ result: { status: 'passed' } });
});

test('a late change by the app that a guard covers makes the end inconclusive, with the reason', async () => {
  const { result, isShipped } = await shipping({ way: 'a response that is delayed', point: 'way closed' });
  expect(isShipped).toBe(true);
  expect(result).toMatchObject({
    status: 'inconclusive',
    decisive: {
      contract: 'guards',
      leaf: { why: { code: 'not_captured', params: { why: 'the state changed while the end was captured' } } },
    },
  });
});

test('an order of the judge’s load that the app answers after the end makes the end inconclusive', async () => {
  const { result, isShipped } = await shippingSlowly(2);
  expect(isShipped).toBe(true);
  const why = 'the app had yet to answer a request that may change its state';
  expect(result).toMatchObject({
    status: 'inconclusive',
    decisive: { contract: 'guards', leaf: { why: { code: 'not_captured', params: { why } } } },
  });
});

test('orders that the app answers in time are no obstacle', async () => {
  expect(await shippingSlowly(null)).toMatchObject({ isShipped: false, result: { status: 'passed' } });
});

test('pages are read again if a request comes in before the way in is cut', async () => {
  const browser = await sharedBrowser();
  const order =
    "fetch('/order', { method: 'POST' }).then(() => { document.querySelector('h1').textContent = 'Broken'; })";
  const { result, evidence } = await stage({
    task: {
      success: {
        kind: 'and',
        children: [
          { kind: 'dom_text', selector: 'h1', contains: 'Open' },
          { kind: 'network', method: 'POST', url_pattern: '/order$', status_in: [200], since: 'contract_enter' },
        ],
      },
    },
    pages: { '/': '<h1>Open</h1>', '/order': () => new Response('ordered') },
    agent: moves(call('snapshot')),
    worldWith: (world) => ({
      ...world,
      cut: async () => {
        const pages = (await browser.playwright()).contexts().flatMap((context) => context.pages());
        await pages.find((page) => page.url() === `${ORIGIN}/`)?.evaluate(order);
        await world.cut();
      },
    }),
  });
  expect(evidence.end?.network).toMatchObject({ captured: true });
  expect(result.status).toBe('failed');
});

test('a save that is under way when the agent ends is awaited', async () => {
  let reads = 0;
  let isSaved = false;
  let save = (): void => {};
  const pages = {
    '/': `<h1>Open</h1><button onclick="fetch('/save', { method: 'POST' })">Save</button>`,
    '/save': () =>
      new Promise<Response>((resolve) => {
        save = () => {
          isSaved = true;
          resolve(new Response('saved'));
        };
      }),
  };
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    if (turn === 1) return call('click', { ref: refOf(last, 'Save') });
    reads = 0;
    return { kind: 'done', answer: null };
  });
  const state = (): { isSaved: boolean } => {
    reads += 1;
    // By then a page that is not awaited has settled.
    if (reads === 4) save();
    return { isSaved };
  };
  const success = { kind: 'app_state', pointer: '/isSaved', equals: true } as const;
  expect((await stage({ task: { success }, pages, agent, state })).result.status).toBe('passed');
});

test.each([
  ['passes, where no contract asks for it', ['/clock'], 'passed'],
  ['does not, where one does', [], 'failed'],
])('an app whose state holds a clock %s', async (_what, except, status) => {
  let clock = 0;
  const guards = { kind: 'unchanged', except } as const;
  const { result } = await stage({
    task: { guards },
    pages: { '/': '<h1>Open</h1>', '/done': '<h1>Done</h1>' },
    agent: moves(call('navigate', { url: `${ORIGIN}/done` })),
    state: () => ({ clock: (clock += 1), other: 1 }),
  });
  expect(result.status).toBe(status);
});
