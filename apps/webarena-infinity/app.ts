import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineApp } from 'touchstone';
import { z } from 'zod';

/** Runs in the page before its own scripts. */
const WITNESS = await readFile(new URL('witness.js', import.meta.url), 'utf8');

const TOKEN = 'touchstone-load';
const MAX_REFUSED = 20;
/** Most bytes of a state, in characters of JSON. */
const MAX_STATE = 4_194_304;
/** Longest time, in ms, until a page that was loaded sends its first state. */
const FIRST_STATE_MS = 3_000;
/** Upstream's verifiers and right ends lie next to the page. */
const SERVED = /^\/(?:[\w./-]+\.(?:html|css|js|png|jpg|svg|ico|woff2))?$/;

type Refusal = 'no token' | 'unknown token' | 'not a state' | 'reset';

const Numbered = z.tuple([z.string(), z.coerce.number().int()]);

/**
 * Serves an app of a checkout of WebArena-Infinity, and keeps the newest state that a load of its page sends. Only a load gets a
 * token: a script that reads the page again does not. Requests of the page may overtake each other, so it numbers them.
 */
export default defineApp((_parameters, { data }) => {
  const refused: Refusal[] = [];
  const loads: string[] = [];
  let page: z.infer<ReturnType<typeof z.json>> = null;
  let newest: readonly [load: number, number: number] = [-1, -1];

  const arrival = new EventTarget();
  const first = once(arrival, 'state');

  const refuse = (why: Refusal, status: number): Response => {
    if (refused.length < MAX_REFUSED) refused.push(why);
    return new Response(why, { status });
  };

  async function keep(request: Request): Promise<Response> {
    const given = request.headers.get(TOKEN);
    if (given === null) return refuse('no token', 403);
    const numbered = Numbered.safeParse(given.split(' '));
    const [token, number] = numbered.data ?? ['', 0];
    const load = loads.indexOf(token);
    if (load === -1) return refuse('unknown token', 403);
    const text = await request.text();
    const state = text.length > MAX_STATE ? null : stateIn(text);
    if (state === null) return refuse('not a state', 400);
    const [newestLoad, newestNumber] = newest;
    if (load < newestLoad || (load === newestLoad && number <= newestNumber)) return Response.json({ status: 'old' });
    page = state;
    newest = [load, number];
    arrival.dispatchEvent(new Event('state'));
    return Response.json({ status: 'ok' });
  }

  async function begin(request: Request): Promise<Response> {
    const file = await data(request);
    if (!file.ok || request.headers.get('sec-fetch-dest') !== 'document') return file;
    const token = randomUUID();
    loads.push(token);
    const script = `<script>${WITNESS.replace('GIVEN', JSON.stringify({ header: TOKEN, token }))}//# sourceURL=witness.js</script>`;
    return new Response(
      (await file.text()).replace(/<head>/i, (head) => head + script),
      {
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      },
    );
  }

  return {
    async state() {
      if (loads.length > 0 && page === null) await Promise.race([first, sleep(FIRST_STATE_MS)]);
      return structuredClone({ page, refused });
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/state' && request.method === 'PUT') return await keep(request);
      if (pathname === '/api/reset') return refuse('reset', 403);
      // Without content, the page does not ask for events again.
      if (pathname === '/api/events') return new Response(null, { status: 204 });
      if (!SERVED.test(pathname)) return new Response('not found', { status: 404 });
      return pathname === '/' || pathname === '/index.html' ? await begin(request) : await data(request);
    },
  };
});

function stateIn(text: string): z.infer<ReturnType<typeof z.json>> {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text));
  } catch {
    return null;
  }
}
