import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { outsideApp } from '../../../src/world/outside-app/outside-app.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const ORIGIN = 'http://outside.localhost';

/** Apps that check no secret, like foreign ones. They state `{"count":0}` until they are reset. */
const ROUTERS = {
  Express: `
    const app = require(${JSON.stringify(createRequire(import.meta.url).resolve('express'))})();
    app.get('/__state', (_, reply) => reply.json(state));
    app.post('/admin/reset', (_, reply) => { state = { count: state.count + 1 }; reply.end('reset'); });
    app.use((_, reply) => reply.send('page'));
    app.listen(port, '127.0.0.1');`,
  /** Takes for one path everything that some router takes for one. */
  'a lenient router': `
    const { posix } = require('node:path');
    const plain = (text) => {
      for (let before = ''; before !== text;) { before = text; try { text = decodeURIComponent(text); } catch {} }
      const joined = text.normalize('NFKC').toUpperCase().toLowerCase().replace(/[\\p{M}\\p{C}]/gu, '').replace(/\\\\/g, '/');
      return posix.normalize(joined.replace(/;[^/]*/g, '')).replace(/(\\.json)?\\/?$/, '');
    };
    http.createServer((request, reply) => {
      const { searchParams, pathname } = new URL(request.url.replace(/^\\/+/, '/'), 'http://outside.localhost');
      const at = plain(request.headers['x-original-url'] ?? searchParams.get('route') ?? pathname);
      if (at === '/__state') return reply.end(JSON.stringify(state));
      if (at !== '/admin/reset') return reply.end('page');
      state = { count: state.count + 1 };
      reply.end('reset');
    }).listen(port, '127.0.0.1');`,
};

/** As a suite may spell the two paths, and Express and the lenient router know them. */
const SUITES = [
  { state: '/__state/', reset: '/admin/reset/' },
  { state: '/__STATE', reset: '/Admin/Reset' },
];

const CASES = Object.entries(ROUTERS).flatMap(([name, router]) => SUITES.map((kept) => ({ name, router, ...kept })));

const STATES = [
  '/__state',
  '/__state/',
  '/__STATE?x=1',
  '/__state.json',
  '/%5f%5fstate',
  '/%255f_state',
  '//__state',
  '/x/..;/__state',
  '/./__state',
  '/%2e/__state',
  '/x/%252e%252e/__state',
  '/__state;v=1',
  '/\\__state',
  '/%5c__state',
  '/_%00_state',
  '/_%E2%80%8B_state',
  '/%EF%BC%BF%EF%BC%BFstate',
  '/\uFF3F_state',
  '/__\u017Ftate',
  '/__sta%CC%88te',
  '/?route=/__state',
  `/%${'25'.repeat(5)}5f_state`,
];

const RESETS = `
  /admin/reset /ADMIN/reset/ /admin/./reset /admin//reset /admin;x/reset /admin/x/..;/reset
  /admin/x/%252e%252e/reset /admin%2freset /admin%255Creset /adm%C4%B1n/reset /admin/reset/again
`
  .trim()
  .split(/\s+/);

const OTHERS = '/ /state /admin /reset /admin/x/reset /?q=__state /wiki/Größe /a;b/c /a//b /100%25'.split(' ');

async function started({ router, state, reset }: (typeof CASES)[number]) {
  const folder = path.join(await temporaryFolder(), 'app');
  await mkdir(folder);
  const begin = "const http = require('node:http'); const port = Number(process.argv[2]); let state = { count: -1 };";
  await writeFile(path.join(folder, 'server.cjs'), begin + router);
  const program = { command: [process.execPath, 'server.cjs', '{{port}}'], env: {}, ready: '/', state, reset };
  const app = await outsideApp({ origin: ORIGIN, folder, app: program })({});
  const answers = async (places: readonly string[], init: RequestInit = {}) => {
    const asked = places.map(async (at) => [at, await (await app.fetch(new Request(ORIGIN + at, init))).text()]);
    return Object.fromEntries(await Promise.all(asked));
  };
  return { app, answers, [Symbol.asyncDispose]: async () => await app.close?.() };
}

function all(places: readonly string[], answer: string): Record<string, string> {
  return Object.fromEntries(places.map((at) => [at, answer]));
}

describe.each(CASES)('$name whose state is at $state', (of) => {
  test('neither gives it to a browser nor is reset by one, in any spelling', async () => {
    await using served = await started(of);
    expect(await served.answers(STATES)).toEqual(all(STATES, 'not found'));
    expect(await served.answers(RESETS, { method: 'POST' })).toEqual(all(RESETS, 'not found'));
    for (const at of ['/__state', '/admin%2freset'])
      expect(await served.answers(['/'], { headers: { 'x-original-url': at } })).toEqual({ '/': 'not found' });
    expect(await served.app.state()).toEqual({ count: 0 });
  });

  test('answers a browser that asks for other paths', async () => {
    await using served = await started(of);
    const headers = { 'x-original-url': '/other', referer: `${ORIGIN}/` };
    expect(await served.answers(OTHERS, { headers })).toEqual(all(OTHERS, 'page'));
  });
});
