import { defineApp } from 'touchstone';
import { z } from 'zod';

const RECORD = '/api/record-completion';
const VIEW = '/api/record-view';
const QUOTES = ['"', "'", '`'];
const SOURCE = 'SOURCE_';

const Completion = z.object({ taskId: z.string(), url: z.url() });

/** Seeds the random numbers of a page, so that all entrants play the same game. Runs before its own scripts. */
const SEEDING = `{
  let state = SEED;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  document.currentScript.remove();
}`;

/**
 * Serves the build of a checkout of WebGames with other passwords than those of its source, and keeps the first record of its game
 * that a page sends.
 */
export default defineApp((parameters, { data }) => {
  const game = String(parameters['game']);
  let record: { game: string; page: string } | null = null;

  const passwords = Object.entries(parameters).flatMap(([name, written]) =>
    name.startsWith(SOURCE) ? [{ written, drawn: String(parameters[name.slice(SOURCE.length)]) }] : [],
  );
  const changed = (script: string): string => {
    let text = script;
    for (const { written, drawn } of passwords) {
      for (const quote of QUOTES) text = text.replaceAll(`${quote}${written}${quote}`, `${quote}${drawn}${quote}`);
    }
    return text;
  };

  async function keep(request: Request): Promise<Response> {
    const { data: sent } = Completion.safeParse(await request.json());
    if (sent?.taskId === game) record ??= { game, page: new URL(sent.url).pathname };
    return Response.json({ success: true });
  }

  async function page(url: string): Promise<Response> {
    const file = await data(new Request(new URL('/', url)));
    const script = `<script>${SEEDING.replace('SEED', String(parameters['seed']))}</script>`;
    return answer(
      (await file.text()).replace(/<head>/i, (head) => head + script),
      'text/html',
    );
  }

  return {
    state: () => ({ record }),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST' && pathname === RECORD) return await keep(request);
      if (request.method === 'POST' && pathname === VIEW) return Response.json({ success: true });
      // The list of games gives away their passwords.
      if (/^\/+$/.test(pathname)) return notFound();
      if (!/\.\w+$/.test(pathname)) return await page(request.url);
      // So does a script that is opened like a page.
      if (request.headers.get('sec-fetch-dest') === 'document') return notFound();
      const file = await data(request);
      return file.ok && pathname.endsWith('.js') ? answer(changed(await file.text()), 'text/javascript') : file;
    },
  };
});

function answer(text: string, type: string): Response {
  return new Response(text, { headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' } });
}

function notFound(): Response {
  return new Response('not found', { status: 404 });
}
