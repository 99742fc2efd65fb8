import { readFile } from 'node:fs/promises';
import { defineApp } from 'touchstone';
import { served } from './served.ts';
import type { Saved } from './situation.ts';
import { groups } from './groups.ts';

const SCRIPT = await readFile(new URL('save.js', import.meta.url), 'utf8');
const SITUATIONS = new Map(
  Object.values(groups)
    .flat()
    .map((each) => [each.id, each]),
);

/** Serves one page for each situation, and keeps what they save. */
export default defineApp(() => {
  const state: { saved: Saved[] } = { saved: [] };
  const replies = served();
  return {
    state: () => structuredClone(state),
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname === '/save.js') return scriptOf(SCRIPT);
      if (pathname === '/save' && request.method === 'POST') {
        const record: Saved = JSON.parse(await request.text());
        state.saved.push(record);
        const isEmpty = search === '?empty';
        const headers = { 'access-control-allow-origin': '*' };
        return isEmpty ? new Response(null, { status: 204, headers }) : Response.json({ saved: true }, { headers });
      }
      const [, module] = /^\/nac3\/(\w+\.js)$/.exec(pathname) ?? [];
      if (module !== undefined) return scriptOf(await readFile(new URL(`../nac3/${module}`, import.meta.url), 'utf8'));
      const special = await replies(request);
      if (special !== null) return special;
      const [, id = '', ...rest] = pathname.split('/');
      const situation = SITUATIONS.get(id);
      const text = rest.length === 0 ? situation?.html : situation?.more?.[rest.join('/')];
      if (situation === undefined || text === undefined) return new Response('not found', { status: 404 });
      const isScript = pathname.endsWith('.js');
      const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8';
      return new Response(isScript ? text : documentOf(text, situation.title), {
        headers: { 'content-type': type, ...(isScript ? {} : situation.headers) },
      });
    },
  };
});

function scriptOf(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/javascript' } });
}

function documentOf(html: string, title: string): string {
  if (html.startsWith('<!doctype')) return html;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><script src="/save.js"></script></head>
<body>
<h1>${title}</h1>
${html}
<p id="status" role="status"></p>
</body>
</html>`;
}
