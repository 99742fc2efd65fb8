import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Archive } from '../../src/world/archive/archive.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { certificateFor, webServer } from '../world/live/web-server.ts';
import { reportOf, rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstoneWith } from './touchstone-process.ts';

const DOCS = 'docs.example-web.test';
const CDN = 'cdn.example-web.test';
const SECRET = 'seeded-secret-4711';

/** Two sites, by address without scheme. */
const WEB: Record<string, { type: string; body: string; packed?: true }> = {
  [`${DOCS}/`]: {
    type: 'text/html',
    body: `<!doctype html><title>Docs</title><link rel="stylesheet" href="https://${CDN}/site.css">
      <h1>Docs</h1><a href="/beside">Beside the path</a><a href="https://${CDN}/far">Far</a>
      <form method="post" action="/search"><label>Search <input name="q"></label><button>Go</button></form>`,
  },
  [`${DOCS}/guide?b=2&a=1`]: {
    type: 'text/html',
    packed: true,
    body: `<!doctype html><title>Guide</title><h1>Guide</h1><p id="fact">The key is ${SECRET}.</p><p id="late"></p>
      <script>fetch('/api').then((reply) => reply.json()).then(({ fact }) => { late.textContent = fact; });</script>`,
  },
  [`${DOCS}/api`]: { type: 'application/json', body: '{"fact":"Water boils at 100 degrees"}' },
  [`${DOCS}/beside`]: { type: 'text/html', body: '<!doctype html><title>Beside</title><h1>Beside</h1>' },
  [`${DOCS}/found`]: {
    type: 'text/html',
    body: '<!doctype html><title>Found</title><h1>Found</h1><a href="/guide?b=2&a=1">Guide</a>',
  },
  [`${CDN}/site.css`]: { type: 'text/css', body: 'h1 { color: teal }' },
};

async function startWeb(pair: { key: string; cert: string }) {
  return await webServer((request, reply) => {
    if (request.method === 'POST') {
      reply.writeHead(303, { location: '/found', 'set-cookie': 'seen=1; Path=/' }).end();
      return;
    }
    const page = WEB[`${request.headers.host ?? ''}${request.url ?? ''}`];
    if (page === undefined) {
      reply.writeHead(404).end('not found');
      return;
    }
    reply.setHeader('content-type', page.type);
    if (page.packed) reply.setHeader('content-encoding', 'gzip').end(gzipSync(page.body));
    else reply.end(page.body);
  }, pair);
}

const SUITE = `id: docs
title: Docs of an example
tasks: [tasks.yaml]
world: { kind: archive, archive: web.zip }
`;
const TASKS = `id: boiling
title: Boiling
startUrl: https://${DOCS}/
goal: At how many degrees does water boil? Search for boiling and read what is found.
success: { kind: dom_text, selector: '#late', contains: 100 degrees }
solutions:
  - steps:
      - { do: fill, label: Search, text: boiling }
      - { do: click, role: button, name: Go }
      - { do: click, role: link, name: Guide }
      - { do: wait_for, text: Water boils }
`;

async function writeSuite(): Promise<{ suite: string; archive: string }> {
  const suite = await temporaryFolder();
  await writeFile(path.join(suite, 'suite.yaml'), SUITE);
  await writeFile(path.join(suite, 'tasks.yaml'), TASKS);
  return { suite, archive: path.join(suite, 'web.zip') };
}

test('a recorded web is the same for every entrant once it is gone', async () => {
  const { suite, archive: file } = await writeSuite();
  const pair = await certificateFor([DOCS, CDN]);
  const trusted = path.join(suite, 'trusted.pem');
  await writeFile(trusted, pair.cert);

  const site = await startWeb(pair);
  const places = [DOCS, CDN].map((host) => `${host}:443:127.0.0.1:${site.port}`).join(',');
  const variables = { NODE_EXTRA_CA_CERTS: trusted, TOUCHSTONE_SECRET_SEEDED: SECRET };
  const recording = startTouchstoneWith(variables, 'record', suite, '--connect-to', places);
  expect(await recording.ended).toBe(0);
  expect(recording.said()).toContain('boiling: passed');
  await site.close();

  const archive = await Archive.open(file);
  const bodies = new Map<string, string>();
  for (const exchange of archive.exchanges) {
    const { host, pathname, search } = new URL(exchange.url);
    bodies.set(host + pathname + search, String(await archive.body(exchange)));
  }
  archive.close();
  for (const [address, { body }] of Object.entries(WEB)) {
    expect(bodies.get(address)).toBe(body.replaceAll(SECRET, '[secret:TOUCHSTONE_SECRET_SEEDED]'));
  }
  expect(bodies.has(`${CDN}/far`)).toBe(false);
  expect((await readFile(file)).toString('latin1')).not.toContain(SECRET);
  expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });

  const [one, other] = [path.join(suite, 'one'), path.join(suite, 'other')];
  const args = ['run', suite, '--surface', 'aria,playwright-mcp'];
  const ran = await touchstone(...args, '--out', one);
  expect(ran).toMatchObject({ exit: 0 });
  await touchstone(...args, '--out', other);
  const rows = await rowsOf(one);
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    const fromArchive = { archive_hash: archive.hash, off_archive: 0, world_kind: 'facsimile' };
    expect(row).toMatchObject({ status: 'passed', ...fromArchive });
  }
  expect((await reportOf(other)).outcome_hash).toBe((await reportOf(one)).outcome_hash);
  expect(await touchstone('rejudge', one)).toMatchObject({ exit: 0 });
  const campaign = JSON.parse(await readFile(path.join(one, 'campaign.json'), 'utf8'));
  expect(campaign.pins.archive_hashes).toEqual({ docs: archive.hash });

  // Playwright reads the same file.
  const context = await (await (await sharedBrowser()).playwright()).newContext();
  await context.routeFromHAR(file, { notFound: 'abort' });
  const page = await context.newPage();
  await page.goto(`https://${DOCS}/guide?b=2&a=1`);
  await page.waitForSelector('text=Water boils at 100 degrees');
  await context.close();
});

test('a site with a self-signed certificate is not recorded', async () => {
  const { suite, archive: file } = await writeSuite();
  await using site = await startWeb(await certificateFor([DOCS, CDN]));
  const places = `${DOCS}:443:127.0.0.1:${site.port}`;
  const ran = await touchstone('record', suite, '--connect-to', places, '--pages', '0');
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain(`not recorded: GET https://${DOCS}/ (self-signed certificate)`);
  expect(site.asked).toEqual([]);
  const archive = await Archive.open(file);
  archive.close();
  expect(archive.exchanges).toEqual([]);
});
