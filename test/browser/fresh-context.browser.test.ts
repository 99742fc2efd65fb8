import { expect, test } from 'vitest';
import { loadInFreshContext } from '../../src/browser/fresh-context.ts';
import { openScene } from './scene.ts';

const ADDRESS = 'http://a.localhost/';
const WORKER = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(
  new Response('<!doctype html><h1>Done</h1>', { headers: { 'content-type': 'text/html' } })));`;

test('a surviving service worker answers the open page, but not the reloaded one', async () => {
  await using scene = await openScene({
    [ADDRESS]: '<h1>Open</h1>',
    [`${ADDRESS}worker.js`]: () => new Response(WORKER, { headers: { 'content-type': 'text/javascript' } }),
  });
  const { page, observer, world } = scene;
  await page.goto(ADDRESS);
  await page.evaluate(`navigator.serviceWorker.register('/worker.js').then(() => new Promise((resolve) => {
    if (navigator.serviceWorker.controller) resolve();
    else navigator.serviceWorker.addEventListener('controllerchange', () => resolve());
  }))`);
  await page.reload();
  expect(JSON.stringify((await scene.capture()).pages)).toContain('Done');
  const fresh = await loadInFreshContext(observer, {
    cookies: [],
    url: ADDRESS,
    viewport: { width: 800, height: 600 },
    proxy: world.proxy,
    settle: (read) => read(),
  });
  expect(fresh.captured).toBe(true);
  expect(JSON.stringify(fresh)).toContain('Open');
  expect(JSON.stringify(fresh)).not.toContain('Done');
});
