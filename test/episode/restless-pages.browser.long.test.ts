import { afterAll, expect, test } from 'vitest';
import { BrowserPool } from '../../src/browser/pool.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { dom } from '../../src/surface/dom/dom.ts';
import { nac3 } from '../../src/surface/nac3/nac3.ts';
import type { Surface } from '../../src/surface/surface.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { call, moves, ORIGIN, type Pages, type Performance, stage } from './staged-episode.ts';

const OPEN = '<!doctype html><h1>Open</h1>';
const script = (code: string): string => `${OPEN}<script>${code}</script>`;

function endless(first: string, next: string): () => Response {
  return () => {
    let hasBegun = false;
    const pieces = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.enqueue(Buffer.from(hasBegun ? next : first));
        hasBegun = true;
      },
    });
    return new Response(pieces, { headers: { 'content-type': 'text/html' } });
  };
}

/** Pages that never settle, or block access: the effect of each. */
const PAGES: Record<string, Pages[string]> = {
  'opens one alert after the other': script('for (;;) alert("Done")'),
  'asks in a frame for ever, at the end of which Chromium breaks down': `${OPEN}<iframe srcdoc="<script>for (;;) confirm('Done')</script>"></iframe>`,
  'blocks leaving': script(
    'onbeforeunload = (event) => event.preventDefault(); setTimeout(() => location.reload(), 50)',
  ),
  'prints, takes the screen and asks for files and permissions for ever': `${OPEN}<input type="file" id="file"><script>
    setInterval(() => {
      print();
      file.click();
      Notification.requestPermission();
      navigator.geolocation.getCurrentPosition(() => {});
      navigator.mediaDevices?.getDisplayMedia().catch(() => {});
      document.documentElement.requestFullscreen().catch(() => {});
      document.documentElement.requestPointerLock();
    }, 10)</script>`,
  'has the right heading in a closed shadow root, and in a dialog that opens and closes': `${OPEN}<div id="host"></div><dialog id="modal"><h1>Done</h1></dialog><script>
    host.attachShadow({ mode: "closed" }).innerHTML = "<h1>Done</h1>";
    setInterval(() => { modal.close(); modal.showModal() }, 10)</script>`,
  'has all its addresses lead elsewhere': `<base href="http://elsewhere.test/">${OPEN}<iframe src="there"></iframe><script>setTimeout(() => { location = "there" })</script>`,
  'goes to itself forever': script('location.href = `/there?${Math.random()}`'),
  'goes back and forth for ever': script(
    'for (const at of "abc") history.pushState(null, "", `?${at}`); setInterval(() => { history.back(); setTimeout(() => history.forward(), 3) }, 7)',
  ),
  'writes itself for ever': script('setInterval(() => { document.open(); document.write("<h1>Open</h1>") }, 1)'),
  'never ends': endless(OPEN, '<p>more</p>'),
  'waits for what never comes': script(
    'const asked = new XMLHttpRequest(); asked.open("GET", "/endless", false); asked.send()',
  ),
  'opens one window after the other': script('setInterval(() => open("/there"), 20)'),
  'leads to itself': () => Response.redirect(`${ORIGIN}/there`, 302),
};

let pool: BrowserPool | null = null;
afterAll(() => pool?.close());

/** An episode on a page, in a browser as a campaign has it: what one page leaves broken, the next does not get. */
async function episodeOn(page: Pages[string], surface: Surface, maxDurationMs: number): Promise<Performance> {
  pool ??= new BrowserPool({ binary: requireBrowser('full'), trustedSpki: (await sharedIdentity()).spki });
  const lease = await pool.acquire(surface.needs === 'context' ? 'context' : 'browser');
  const isForeign = surface.needs === 'endpoint';
  const look = call(isForeign ? 'browser_snapshot' : surface === nac3 ? 'describe' : 'snapshot');
  const answer = isForeign ? call('browser_handle_dialog', { accept: 'true' }) : call('dialog', { action: 'accept' });
  const there = call(isForeign ? 'browser_navigate' : 'navigate', { url: `${ORIGIN}/there` });
  const performance = await stage({
    task: { maxDurationMs },
    pages: { '/': '<h1>Open</h1>', '/there': page, '/endless': endless('x', 'x') },
    agent: moves(there, look, answer, look),
    setup: { surface, browser: lease.browser },
  });
  await lease.release(performance.result.browserFit);
  return performance;
}

const SURFACES = [aria, dom, nac3];
const ENDS = ['failed', 'timeout', 'inconclusive'];

/** Each page through `aria`, and in turn through one of the two others, which move a page as it does. */
const TRIED = Object.keys(PAGES).flatMap((name, at) => [
  { name, surface: aria },
  { name, surface: at % 2 === 0 ? dom : nac3 },
]);

test.each(TRIED)(
  'a page that $name gains no pass and no second attempt through $surface.id',
  async ({ name, surface }) => {
    expect(ENDS).toContain((await episodeOn(PAGES[name] ?? '', surface, 6_000)).result.status);
  },
);

const playwrightMcp = (await Entrants.load()).surface('playwright-mcp');

test.each(['opens one alert after the other', 'blocks leaving', 'goes to itself forever', 'never ends'])(
  'a page that %s gains no pass and no second attempt through a tool server either',
  async (name) => {
    expect(ENDS).toContain((await episodeOn(PAGES[name] ?? '', playwrightMcp, 15_000)).result.status);
  },
);

test.each([...SURFACES, playwrightMcp])('a compliant page passes by the same moves through $id', async (surface) => {
  const asAsked = '<!doctype html><h1>Done</h1>';
  const page = (): Response => new Response(asAsked, { headers: { 'content-type': 'text/html' } });
  expect((await episodeOn(page, surface, 30_000)).result.status).toBe('passed');
});
