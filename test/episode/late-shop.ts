import { once } from 'node:events';
import http from 'node:http';
import type { Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import type { Agent } from '../../src/agent/agent.ts';
import type { World } from '../../src/world/world-proxy.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { deferred } from '../world/deferred.ts';
import { call, deciding, ORIGIN, type Pages, type Performance, stage } from './staged-episode.ts';

/** Page scripts that order one shipment, and resolve when that has been tried. */
const SCRIPT_OF = {
  'a timer': "new Promise((done) => setTimeout(() => fetch('/ship', { method: 'POST' }).finally(done)))",
  'a picture': "new Promise((done) => { const image = new Image(); image.onerror = done; image.src = '/ship' })",
  'a beacon': "(navigator.sendBeacon('/ship'), fetch('/seen'))",
  'a request that outlives its page':
    "(addEventListener('pagehide', () => fetch('/ship', { method: 'POST', keepalive: true })), location.href = '/seen')",
  'a navigation': "(location.href = '/ship')",
  'a popup': "new Promise((done) => { const popup = open('/ship'); popup.onload = done; setTimeout(done, 500) })",
  'a second tab': "told(new BroadcastChannel('tabs'))",
  'a worker': 'told(worker)',
  'a shared worker': 'told(shared.port)',
  'a service worker': 'told(registration.active)',
  'a WebSocket': "(socket.send('ship'), fetch('/seen'))",
  'a response that is delayed': null,
} as const;
type Way = keyof typeof SCRIPT_OF;
export const WAYS: readonly Way[] = [
  'a timer',
  'a picture',
  'a beacon',
  'a request that outlives its page',
  'a navigation',
  'a popup',
  'a second tab',
  'a worker',
  'a shared worker',
  'a service worker',
  'a WebSocket',
  'a response that is delayed',
];

/** What the judge does with the world once the entrant is done, in its order. */
export const POINTS = [
  'state 1',
  'state 2',
  'state 3',
  'network 1',
  'anotherProxy 1',
  'reloaded',
  'way closed',
] as const;
type Point = (typeof POINTS)[number] | 'never';

const SHIP = "fetch('/ship', { method: 'POST' })";
/** Reports that its order has been tried, however it ended. */
const ACTING = `(event) => ${SHIP}.catch(() => {}).then(() => new BroadcastChannel('done').postMessage(0))`;
const SCRIPTS: Record<string, string> = {
  '/worker.js': `onmessage = ${ACTING}`,
  '/shared.js': `onconnect = ({ ports: [port] }) => { port.onmessage = ${ACTING} }`,
  '/service.js': `onmessage = (event) => event.waitUntil((${ACTING})(event))`,
};
const TAB = `window.tabs = new BroadcastChannel('tabs'); tabs.onmessage = ${ACTING}; 0`;

/** What a page leaves open for later. */
const SETUP = `
  window.told = (target) =>
    new Promise((done) => { new BroadcastChannel('done').onmessage = done; target.postMessage(0) });
  window.worker = new Worker('/worker.js');
  window.shared = new SharedWorker('/shared.js');
  fetch('/held').catch(() => {});
  Promise.all([
    navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then((own) => { window.registration = own }),
    new Promise((done) => { window.socket = new WebSocket('ws://stage.localhost/'); socket.onopen = done }),
  ]).then(() => 0)`;

interface Late {
  way: Way;
  /** Null: before the entrant is done. */
  point: Point | null;
}

export async function shipping({ way, point }: Late): Promise<Performance & { isShipped: boolean; reached: string[] }> {
  let isDone = false;
  let isShipped = false;
  let isEnding = false;
  const reached: string[] = [];
  const held = deferred<void>();
  const ship = (): Response => {
    isShipped = true;
    return new Response('shipped');
  };
  const html = (text: string): Response =>
    new Response(`<!doctype html>${text}`, { headers: { 'content-type': 'text/html' } });
  const pages: Pages = {
    '/': async () => {
      if (isEnding) await at('reloaded');
      return html(`<h1>${isDone ? 'Done' : 'Open'}</h1>`);
    },
    '/seen': '<p>Seen</p>',
    '/done': () => {
      isDone = true;
      return html('<h1>Done</h1>');
    },
    '/ship': ship,
    '/held': async () => {
      await held.promise;
      return ship();
    },
    ...Object.fromEntries(
      Object.entries(SCRIPTS).map(([path, script]) => [
        path,
        () => new Response(script, { headers: { 'content-type': 'text/javascript' } }),
      ]),
    ),
  };
  const sockets = await shippingSockets(ship);
  const browser = await sharedBrowser();
  let shop: Page | undefined;
  const act = async (): Promise<void> => {
    const script = SCRIPT_OF[way];
    if (script === null) held.resolve();
    else
      await shop
        ?.evaluate(`Promise.race([new Promise((done) => setTimeout(done, 1_500)), ${script}]).then(() => 0, () => 0)`)
        .catch(() => {});
  };
  const at = async (name: string): Promise<void> => {
    reached.push(name);
    if (name === point) await act();
  };
  const agent: Agent = deciding(async (_last, turn) => {
    if (turn === 0) return call('navigate', { url: `${ORIGIN}/done` });
    const open = (await browser.playwright()).contexts().flatMap((context) => context.pages());
    shop ??= open.find((page) => page.url() === `${ORIGIN}/done`);
    if (turn === 1) {
      // The surface continues in the tab that was opened last; the shop stays behind it.
      await shop?.context().newPage();
      return call('navigate', { url: `${ORIGIN}/` });
    }
    await shop?.evaluate(SETUP);
    await shop?.context().pages().at(-1)?.evaluate(TAB);
    if (point === null) await act();
    isEnding = true;
    return { kind: 'done', answer: null };
  });
  try {
    const performance = await stage({
      task: {
        success: { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true },
        guards: { kind: 'app_state', pointer: '/isShipped', equals: false },
      },
      pages,
      agent,
      state: () => ({ isShipped }),
      webSockets: { port: sockets.port },
      worldWith: (world) => asked(world, () => isEnding, at),
    });
    return { ...performance, isShipped, reached };
  } finally {
    held.resolve();
    sockets.close();
  }
}

function asked(world: World, isEnding: () => boolean, at: (point: string) => Promise<void>): World {
  const counts = new Map<string, number>();
  const point = (name: string): Promise<void> => {
    if (!isEnding()) return Promise.resolve();
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return at(`${name} ${count}`);
  };
  return {
    ...world,
    state: async () => {
      await point('state');
      return await world.state();
    },
    network: () => {
      void point('network');
      return world.network();
    },
    anotherProxy: async () => {
      await point('anotherProxy');
      const way = await world.anotherProxy();
      return {
        ...way,
        close: async () => {
          await way.close();
          await at('way closed');
        },
      };
    },
  };
}

async function shippingSockets(ship: () => void): Promise<{ port: number; close: () => void }> {
  const server = http.createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', ship);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = (): void => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  };
  return { port: address.port, close };
}

/**
 * An episode in a shop whose page orders a shipment as it loads. The app carries out one of these orders, and answers it, only once
 * the episode has ended; the others it answers at once and forgets.
 * @param slow the order that is carried out: 1 comes from the entrant's page, 2 from the judge's; null for none
 */
export async function shippingSlowly(slow: 1 | 2 | null): Promise<Performance & { isShipped: boolean }> {
  let isShipped = false;
  let loads = 0;
  const ended = deferred<void>();
  const pages: Pages = {
    '/': '<h1>Open</h1>',
    '/done': "<h1>Done</h1><script>fetch('/ship', { method: 'POST' })</script>",
    '/ship': async () => {
      loads += 1;
      if (loads === slow) {
        await ended.promise;
        isShipped = true;
      }
      return new Response('shipped');
    },
  };
  const performance = await stage({
    task: {
      success: { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true },
      guards: { kind: 'app_state', pointer: '/isShipped', equals: false },
    },
    pages,
    agent: deciding((_last, turn) =>
      turn === 0 ? call('navigate', { url: `${ORIGIN}/done` }) : { kind: 'done', answer: null },
    ),
    state: () => ({ isShipped }),
  });
  ended.resolve();
  await Promise.resolve();
  return { ...performance, isShipped };
}
