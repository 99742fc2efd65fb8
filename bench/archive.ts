/**
 * What does an archive cost? A page with 20 resources is loaded in fresh contexts of one browser, from an archive through
 * our proxy over HTTPS, and from a plain server on 127.0.0.1 that has the same files in memory; interleaved, the first of
 * each round in turn. And how long does an archive of 10 000 exchanges take to open, and how much memory does it take?
 *
 *   npm run bench:archive [-- <rounds>]
 */
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { requireBrowser } from '../src/browser/find.ts';
import { launchBrowser } from '../src/browser/launch.ts';
import { Archive } from '../src/world/archive/archive.ts';
import { startArchiveWorld } from '../src/world/archive/archive-world.ts';
import { harEntry, BodyStore, writeArchive } from '../src/world/archive/write-archive.ts';
import type { Har } from '../src/world/archive/har.ts';
import { ArchiveIndex } from '../src/world/archive/matcher.ts';
import { createTlsIdentity } from '../src/world/tls-identity.ts';

const rounds = Number(process.argv[2] ?? 40);
const WARM_UP = 3;
const SITE = 'https://docs.example.com';
const RESOURCES = 20;
const RESOURCE_BYTES = 20_000;
const MANY = 10_000;

/** As many headers as a usual exchange has. */
const HEADERS: readonly [string, string][] = Array.from({ length: 12 }, (_, index) => [
  `x-header-${index}`,
  'some usual value',
]);

interface Lane {
  name: string;
  url: string;
  proxy: { server: string; bypass: string };
  times: number[];
}

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-bench-'));
const files = pageFiles();
await compareLoads();
await timeOpening();
await rm(folder, { recursive: true });

/** A page and its resources, by path. */
function pageFiles(): Map<string, { type: string; body: string }> {
  const scripts = Array.from({ length: RESOURCES }, (_, index) => `/part-${index}.js`);
  const tags = scripts.map((src) => `<script src="${src}"></script>`).join('');
  const body = `<!doctype html><title>Page</title><h1>Page</h1>${tags}`;
  return new Map([
    ['/', { type: 'text/html', body }],
    ...scripts.map(
      (name, index) => [name, { type: 'text/javascript', body: padded(`// ${index}`, RESOURCE_BYTES) }] as const,
    ),
  ]);
}

async function compareLoads(): Promise<void> {
  const server = http.createServer(({ url = '/' }, reply) => {
    const file = files.get(url);
    reply.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const identity = await createTlsIdentity();
  const place = path.join(folder, 'page.zip');
  await write(
    place,
    [...files].map(([name, file]) => ({ url: SITE + name, ...file })),
  );
  const archive = await Archive.open(place);
  const index = new ArchiveIndex(archive.exchanges, []);
  const world = await startArchiveWorld({ archive, index, task: 'bench', identity });
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki, reach: 'machine' });
  const plain = `http://127.0.0.1:${address.port}`;
  const lanes: Lane[] = [
    // Everything goes past the proxy that is named here, of which there is none.
    { name: 'plain server', url: `${plain}/`, proxy: { server: 'http://127.0.0.1:1', bypass: '127.0.0.1' }, times: [] },
    { name: 'archive', url: `${SITE}/`, proxy: world.proxy, times: [] },
  ];
  const client = await browser.playwright();
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) lane.times.push(await load(client, lane));
    process.stderr.write(`\r${round + 1}/${rounds + WARM_UP}`);
  }
  await browser.close();
  await world.close();
  archive.close();
  server.close();
  const [direct = Number.NaN, archived = Number.NaN] = lanes.map(({ times }) => median(times.slice(WARM_UP)));
  console.log(
    `\r${rounds} rounds, interleaved; median load of a page with ${RESOURCES} resources of ${RESOURCE_BYTES} bytes`,
  );
  console.log(`plain server  ${direct.toFixed(1)} ms`);
  console.log(`archive       ${archived.toFixed(1)} ms`);
  console.log(`ratio         ${(archived / direct).toFixed(3)}`);
}

/** How long a page takes to load in a fresh context, in ms. */
async function load(browser: Browser, { url, proxy }: Lane): Promise<number> {
  const context = await browser.newContext({ proxy });
  const page = await context.newPage();
  const begun = performance.now();
  await page.goto(url);
  const time = performance.now() - begun;
  await context.close();
  return time;
}

async function timeOpening(): Promise<void> {
  const place = path.join(folder, 'many.zip');
  const many = Array.from({ length: MANY }, (_, index) => ({
    url: `${SITE}/page-${index}?session=${index}`,
    type: 'text/html',
    body: padded(`<h1>${index}</h1>`, 2_000),
  }));
  await write(place, many);
  const before = process.memoryUsage().rss;
  const processor = process.cpuUsage();
  const begun = performance.now();
  const archive = await Archive.open(place);
  const index = new ArchiveIndex(archive.exchanges, []);
  const time = performance.now() - begun;
  const { user, system } = process.cpuUsage(processor);
  const grown = process.memoryUsage().rss - before;
  const found = index.find({ method: 'GET', url: many.at(-1)?.url ?? SITE, digest: null });
  if (found.exchanges.length !== 1) throw new Error('the last exchange is not found');
  archive.close();
  const { size } = await stat(place);
  console.log(
    `opening ${MANY} exchanges (${megabytes(size)})  ${time.toFixed(0)} ms (${((user + system) / 1000).toFixed(0)} ms of processor time), ${megabytes(grown)} more memory`,
  );
}

async function write(file: string, pages: readonly { url: string; type: string; body: string }[]): Promise<void> {
  await using bodies = await BodyStore.create();
  const entries: Har['log']['entries'] = [];
  for (const { url, type, body } of pages) {
    const stored = { name: await bodies.put(Buffer.from(body)), size: body.length, type, digest: null };
    const headers = HEADERS.map(([name, value]) => ({ name, value }));
    const request = { method: 'GET', url, headers, body: null };
    const response = {
      status: 200,
      statusText: 'OK',
      headers: [...headers, { name: 'content-type', value: type }],
      body: stored,
    };
    entries.push(harEntry({ page: 'bench', startedAt: new Date(0), time: 1, request, response, address: null }));
  }
  const creator = { name: 'Touchstone', version: 'bench' };
  const touchstone = { schema_version: 1 as const, provenance: { kind: 'facsimile' as const }, not_recorded: [] };
  await writeArchive(file, { log: { version: '1.2', creator, pages: [], entries, _touchstone: touchstone } }, bodies);
}

function padded(text: string, length: number): string {
  return text + ' '.repeat(Math.max(0, length - text.length));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (place: number): number => sorted[Math.floor(place)] ?? Number.NaN;
  return (middle(sorted.length / 2) + middle((sorted.length - 1) / 2)) / 2;
}
