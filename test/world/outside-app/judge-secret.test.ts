import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { outsideApp } from '../../../src/world/outside-app/outside-app.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openWorld } from '../open-world.ts';
import { ask } from '../through-proxy.ts';

const ORIGIN = 'http://outside.localhost';

/** Answers only the judge at paths that begin with `/__`; at all others shows the headers, the port and the secret. */
const SERVER = `
  const port = Number(process.argv[2]);
  const secret = process.env.TOUCHSTONE_SECRET;
  let state = { note: 'as started' };
  require('node:http').createServer(async (request, response) => {
    if (!request.url.startsWith('/__')) return response.end(JSON.stringify({ headers: request.headers, port, secret }));
    if (request.headers['touchstone-secret'] !== secret) return response.writeHead(404).end('not found');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'POST') state = JSON.parse(body);
    response.end(JSON.stringify(state));
  }).listen(port, '127.0.0.1');
`;

async function started(state = '/__state') {
  const folder = path.join(await temporaryFolder(), 'app');
  await mkdir(folder);
  await writeFile(path.join(folder, 'server.cjs'), SERVER);
  const command = [process.execPath, 'server.cjs', '{{port}}'];
  const program = { command, env: { TOUCHSTONE_SECRET: 'of the suite' }, ready: '/', state, reset: '/__reset' };
  const app = await outsideApp({ origin: ORIGIN, folder, app: program })({ note: 'reset' });
  const world = await openWorld({ [ORIGIN]: app });
  const shown = async (headers = {}) => JSON.parse((await ask(world, `${ORIGIN}/`, { headers })).body);
  const close = async () => {
    await world.close();
    await app.close?.();
  };
  return { app, shown, [Symbol.asyncDispose]: close };
}

test('an app that answers only to the secret of its start gives the judge the state of its reset', async () => {
  await using served = await started();
  expect(await served.app.state()).toEqual({ note: 'reset' });
});

test('such an app answers no one else, even if a request reached it by an unguarded path', async () => {
  await using served = await started();
  const { port, secret } = await served.shown();
  const answer = async (headers: Record<string, string>) =>
    await (await fetch(`http://127.0.0.1:${port}/__other`, { headers })).text();
  for (const guess of ['', 'of the suite', 'undefined']) {
    expect(await answer({ 'touchstone-secret': guess })).toBe('not found');
  }
  expect(await answer({})).toBe('not found');
  expect(await answer({ 'touchstone-secret': secret })).toBe('{"note":"reset"}');
});

test('the proxy of the world drops the header from requests of a browser, even as CGI would read it', async () => {
  await using served = await started();
  const names = ['touchstone-secret', 'Touchstone-Secret', 'touchstone_secret', 'TOUCHSTONE.SECRET'];
  const { headers } = await served.shown({
    ...Object.fromEntries(names.map((name) => [name, 'x'])),
    'touchstone-other': 'y',
  });
  expect(Object.keys(headers).filter((name) => name.startsWith('touchstone'))).toEqual(['touchstone-other']);
});

test('each start has its own secret, which no suite chooses', async () => {
  await using one = await started();
  await using other = await started();
  const secrets = await Promise.all([one, other].map(async ({ shown }) => (await shown()).secret));
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
});
