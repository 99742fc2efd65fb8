import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Archive } from '../../src/world/archive/archive.ts';
import { takeOut } from '../world/archive/take-out.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { webServer } from '../world/live/web-server.ts';
import { touchstone } from './touchstone.ts';

const HOST = 'facts.example-web.test';
const FACTS: Record<string, string> = { boiling: 'Water boils at 100 degrees', freezing: 'Water freezes at 0 degrees' };

/** A site as they are: redirects, a session in a cookie, a script that fetches, headers that say what may run. */
async function startSite() {
  const edition = { of: 'first' };
  const site = await webServer((request, reply) => {
    const url = new URL(request.url ?? '', `http://${HOST}`);
    reply.setHeader('content-security-policy', "default-src 'self'; script-src 'self'");
    reply.setHeader('date', new Date().toUTCString());
    reply.setHeader('x-request-id', String(Math.random()));
    const page = (html: string): void => {
      reply.setHeader('content-type', 'text/html; charset=utf-8');
      reply.end(`<!doctype html><html lang="en"><title>Facts</title><h1>Facts</h1>${html}`);
    };
    if (request.method === 'POST') {
      let form = '';
      request.setEncoding('utf8').on('data', (text: string) => (form += text));
      request.on('end', () => {
        const topic = new URLSearchParams(form).get('q') ?? '';
        reply.writeHead(303, { location: '/found', 'set-cookie': `topic=${topic}; Path=/; HttpOnly` }).end();
      });
    } else if (url.pathname === '/')
      page(`<p>The ${edition.of} edition</p><form method="post" action="/search">
        <label>Search <input name="q"></label><button>Go</button></form>`);
    else if (url.pathname === '/old') {
      reply.writeHead(301, { location: `/topics/${url.searchParams.get('topic') ?? ''}` }).end();
    } else if (url.pathname === '/found' || url.pathname.startsWith('/topics/')) {
      const inCookie = /topic=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
      const topic = url.pathname === '/found' ? inCookie : url.pathname.slice('/topics/'.length);
      page(`<p id="fact" data-topic="${topic ?? ''}">…</p><script src="/fact.js"></script>`);
    } else if (url.pathname === '/fact.js') {
      reply.setHeader('content-type', 'text/javascript');
      reply.end(
        `fetch('/api?topic=' + fact.dataset.topic).then((got) => got.json()).then((got) => { fact.textContent = got.fact; });`,
      );
    } else if (url.pathname === '/api') {
      reply.setHeader('content-type', 'application/json');
      reply.end(JSON.stringify({ fact: FACTS[url.searchParams.get('topic') ?? ''] ?? 'Nothing is known of that' }));
    } else reply.writeHead(404).end('not found');
  });
  return { ...site, edition };
}

const SUITE = `id: facts
title: Facts
tasks: [tasks.yaml]
world: { kind: archive, archive: web.zip }
`;
const TASKS = `id: boiling
title: Boiling
startUrl: http://${HOST}/
goal: At how many degrees does water boil? Search for boiling, and answer with the number.
success:
  kind: and
  children:
    - { kind: answer, number: 100 }
    - { kind: dom_text, selector: '#fact', contains: boils }
solutions:
  - steps:
      - { do: fill, label: Search, text: boiling }
      - { do: click, role: button, name: Go }
      - { do: wait_for, text: Water }
      - { do: answer, value: 100 }
  - steps:
      - { do: go, url: 'http://${HOST}/old?topic=boiling' }
      - { do: wait_for, text: Water }
      - { do: answer, value: 100 }
nearMisses:
  - why: another fact was looked up
    steps:
      - { do: fill, label: Search, text: freezing }
      - { do: click, role: button, name: Go }
      - { do: wait_for, text: Water }
      - { do: answer, value: 100 }
  - why: nothing is known of it
    steps:
      - { do: go, url: 'http://${HOST}/old?topic=melting' }
      - { do: wait_for, text: Nothing is known }
      - { do: answer, value: 100 }
`;

async function suiteOnTheWeb() {
  const suite = await temporaryFolder();
  await writeFile(path.join(suite, 'suite.yaml'), SUITE);
  await writeFile(path.join(suite, 'tasks.yaml'), TASKS);
  const site = await startSite();
  const record = (...args: string[]) =>
    touchstone('record', suite, '--connect-to', `${HOST}:80:127.0.0.1:${site.port}`, ...args);
  return { suite, archive: path.join(suite, 'web.zip'), site, record, [Symbol.asyncDispose]: () => site.close() };
}

test('a task is proved on an archive of its solutions and near-misses, and not on one without the latter', async () => {
  await using web = await suiteOnTheWeb();
  const recorded = await web.record();
  expect(recorded.err).toContain('boiling: passed\n');
  expect(recorded.err).toContain('boiling (solution 2): passed\n');
  expect(recorded.err).toContain('boiling (near-miss 1): failed\n');
  expect(recorded.err).toContain('boiling (near-miss 2): failed\n');
  expect(recorded.exit).toBe(0);
  await web.site.close();

  const qualify = ['qualify', web.suite, '-k', '1', '--perturbations', '6'];
  const proved = await touchstone(...qualify);
  expect(proved).toMatchObject({ exit: 0, out: expect.stringContaining('  2/2  ') });

  await takeOut(web.archive, ({ pageref }) => pageref.includes('near-miss'));
  const unproved = await touchstone(...qualify);
  // The near-misses end on pages that are not there, and so kill nothing.
  expect(unproved).toMatchObject({ exit: 1, out: expect.stringContaining('the weakened contract success.children.1') });
});

test('an unchanged web leaves the archive as it is, and a changed one is compared with it', async () => {
  await using web = await suiteOnTheWeb();
  expect(await web.record()).toMatchObject({ exit: 0 });
  const before = await readFile(web.archive);
  expect(await web.record()).toMatchObject({ exit: 0 });
  expect(await readFile(web.archive)).toEqual(before);

  web.site.edition.of = 'second';
  const refused = await web.record();
  expect(refused).toMatchObject({ exit: 1, err: expect.stringContaining(`  changed GET http://${HOST}/\n`) });
  expect(refused.err.match(/ {2}(changed|added|removed) /g)).toHaveLength(1);
  expect(await readFile(web.archive)).toEqual(before);
  expect(await web.record('--accept')).toMatchObject({ exit: 0 });
  const archive = await Archive.open(web.archive);
  const start = archive.exchanges.find(({ url }) => new URL(url).pathname === '/');
  expect(start && String(await archive.body(start))).toContain('The second edition');
  archive.close();

  // Nothing answers: the recording stays, and is reported.
  const accepted = await readFile(web.archive);
  await web.site.close();
  const gone = await web.record('--accept');
  expect(gone.exit).toBe(1);
  expect(gone.err).toContain('boiling: ');
  expect(gone.err).toContain(`no answer this time, so kept as it was: GET http://${HOST}/\n`);
  expect(await readFile(web.archive)).toEqual(accepted);
});
