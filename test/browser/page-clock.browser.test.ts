import { expect, test } from 'vitest';
import { openScene, type Pages, type TestScene } from './scene.ts';

const NOON = Date.parse('2019-07-05T12:00:00Z');

function script(text: string) {
  return () => new Response(text, { headers: { 'content-type': 'text/javascript' } });
}

async function openAtNoon(pages: Pages): Promise<TestScene> {
  const scene = await openScene(pages);
  await scene.observer.moveTime(scene.contextId, NOON - Date.now());
  return scene;
}

const A = 'http://a.test/';

/** What a page or worker reads as the time, by the means; each is a day of July 2019. */
const DAYS = `({
  now: new Date(Date.now()).toISOString().slice(0, 10),
  made: new Date().toISOString().slice(0, 10),
  made_by_class: new (class extends Date {})().toISOString().slice(0, 10),
  made_by_instance: new (new Date(0).constructor)().toISOString().slice(0, 10),
  called: new Date(Date()).toISOString().slice(0, 10),
  formatted: new Intl.DateTimeFormat('en-CA').format(),
  in_parts: new Intl.DateTimeFormat('en-CA').formatToParts().map(({ value }) => value).join(''),
  temporal: String(Temporal.Now.plainDateISO()),
  temporal_zoned: String(Temporal.Now.zonedDateTimeISO('UTC')).slice(0, 10),
  time_origin: new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 10),
})`;

const MEANS = 'now made made_by_class made_by_instance called formatted in_parts temporal temporal_zoned time_origin';
const JULY = Object.fromEntries(MEANS.split(' ').map((name) => [name, '2019-07-05']));

test('every way in which a page reads the date gives the set time, and others read their own', async () => {
  await using scene = await openAtNoon({ [A]: '' });
  await scene.page.goto(A);
  expect(await scene.page.evaluate(DAYS)).toEqual(JULY);
  await using other = await openScene({ [A]: '' });
  await other.page.goto(A);
  expect(await other.page.evaluate(DAYS)).not.toMatchObject({ now: '2019-07-05' });
});
test('time runs on, and given dates stay', async () => {
  await using scene = await openAtNoon({ [A]: '' });
  await scene.page.goto(A);
  const before = await scene.page.evaluate<number>('Date.now()');
  await scene.page.waitForFunction(`Date.now() > ${before} + 50`);
  expect(
    await scene.page.evaluate(
      '[Date.UTC(2030, 0), Number(new Date(5)), Number(new Date(2030, 0)), new Date(0) instanceof Date]',
    ),
  ).toEqual([1893456000000, 5, 1893456000000, true]);
});

test('no other client takes it away: each has scripts of its own', async () => {
  await using scene = await openAtNoon({ [A]: '' });
  const client = await scene.context.newCDPSession(scene.page);
  for (const identifier of ['1', '2', '3']) {
    await client.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(() => {});
  }
  await scene.page.goto(A);
  expect(await scene.page.evaluate(DAYS)).toEqual(JULY);
});

test('a cookie that ends by a date ends when the page intends', async () => {
  await using scene = await openAtNoon({ [A]: '' });
  await scene.page.goto(A);
  const set = (name: string, ms: number) =>
    `document.cookie = '${name}=1; expires=' + new Date(Date.now() + ${ms}).toUTCString() + '; path=/'`;
  await scene.page.evaluate(`${set('kept', 60_000)}; ${set('gone', -60_000)}`);
  expect(await scene.page.evaluate('document.cookie')).toBe('kept=1');
});

test.each([
  ['a script that runs first', `<script>said(${DAYS})</script>`],
  ['an empty frame', `<iframe></iframe><script>said(frames[0].eval("${DAYS.replaceAll('\n', ' ')}"))</script>`],
  [
    'a frame made by a script',
    `<script>document.documentElement.append(document.createElement('iframe')); said(frames[0].eval("${DAYS.replaceAll('\n', ' ')}"))</script>`,
  ],
  ['a frame of this site', `<iframe src="/inner"></iframe>`],
  ['a frame of another site', `<iframe src="https://b.test/inner"></iframe>`],
  ['a sandboxed frame', `<iframe sandbox="allow-scripts" src="/inner"></iframe>`],
  ['a worker', `<script>new Worker('/worker.js').onmessage = ({ data }) => said(data)</script>`],
  [
    'a worker from a text',
    `<script>new Worker(URL.createObjectURL(new Blob(["postMessage(${DAYS.replaceAll('\n', ' ')})"]))).onmessage = ({ data }) => said(data)</script>`,
  ],
  ['a worker of a worker', `<script>new Worker('/outer.js').onmessage = ({ data }) => said(data)</script>`],
  ['a shared worker', `<script>new SharedWorker('/shared.js').port.onmessage = ({ data }) => said(data)</script>`],
  [
    'a service worker',
    `<script>navigator.serviceWorker.onmessage = ({ data }) => said(data); navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage(''))</script>`,
  ],
  ['a tab that is opened', `<script>addEventListener('message', ({ data }) => said(data)); open('/opened')</script>`],
  ['an empty tab that is opened', `<script>said(open().eval("${DAYS.replaceAll('\n', ' ')}"))</script>`],
])('%s has the set time', async (_, body) => {
  const inner = `<script>parent.postMessage(${DAYS}, '*')</script>`;
  const pages: Pages = {
    'https://a.test/': `<script>const got = new Promise((resolve) => { globalThis.said = resolve; }); addEventListener('message', ({ data }) => said(data))</script>${body}`,
    'https://a.test/inner': inner,
    'https://b.test/inner': inner,
    'https://a.test/opened': `<script>opener.postMessage(${DAYS}, '*')</script>`,
    'https://a.test/worker.js': script(`postMessage(${DAYS})`),
    'https://a.test/outer.js': script(`new Worker('/worker.js').onmessage = ({ data }) => postMessage(data)`),
    'https://a.test/shared.js': script(`onconnect = ({ ports: [port] }) => port.postMessage(${DAYS})`),
    'https://a.test/service.js': script(`onmessage = ({ source }) => source.postMessage(${DAYS})`),
  };
  await using scene = await openAtNoon(pages);
  await scene.page.goto('https://a.test/', { waitUntil: 'domcontentloaded' });
  expect(await scene.page.evaluate('got')).toEqual(JULY);
});
