import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Archive } from '../../../src/world/archive/archive.ts';
import type { NotRecorded, Provenance } from '../../../src/world/archive/har.ts';
import { renew, type Renewed } from '../../../src/world/archive/renew.ts';
import { BodyStore, writeArchive } from '../../../src/world/archive/write-archive.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { archiveFile, type SampleExchange, sampleHar } from './sample-archive.ts';

const dated = (date: string) => [{ name: 'date', value: date }];
const PAGE = { url: 'https://a.test/', body: '<h1>A</h1>', headers: dated('yesterday') };
const OTHER = { url: 'https://a.test/other', body: 'other', headers: dated('yesterday') };
const LATER = {
  kind: 'recorded' as const,
  started_at: '2026-02-01T00:00:00.000Z',
  ended_at: '2026-02-01T00:01:00.000Z',
  browser: 'Chromium 1.2.3',
  platform: 'linux x64',
  connect_to: [],
};

interface Again {
  now: readonly SampleExchange[];
  unreached?: NotRecorded[];
  from?: Provenance;
  before?: string;
}

/** Records an archive of two pages again; returns the result, and the archive written then. */
async function again({ now, unreached = [], from = LATER, before }: Again) {
  const old = await Archive.open(before ?? (await archiveFile([PAGE, OTHER])));
  await using bodies = await BodyStore.create();
  const har = await sampleHar(now, bodies, from);
  har.log['_touchstone'].not_recorded = unreached;
  const renewed = await renew(old, har, bodies, new Set());
  old.close();
  return { renewed, written: renewed?.har == null ? null : await written(renewed.har, bodies) };
}

async function written(har: NonNullable<Renewed['har']>, bodies: BodyStore) {
  const file = path.join(await temporaryFolder(), 'web.zip');
  await writeArchive(file, har, bodies);
  const archive = await Archive.open(file);
  onTestFinished(() => archive.close());
  const answers = archive.exchanges.map(async (exchange) => [
    exchange.url,
    String(await archive.body(exchange)),
    exchange.headers.find(({ name }) => name === 'date')?.value,
  ]);
  return { archive, answers: await Promise.all(answers), bytes: String(await readFile(file)) };
}

const today = (exchange: SampleExchange, body = exchange.body ?? ''): SampleExchange => {
  return { ...exchange, body, headers: dated('today') };
};

describe('an archive that is recorded again', () => {
  test('is not written if every request has the same answer', async () => {
    const { renewed } = await again({ now: [today(PAGE), today(OTHER)] });
    expect(renewed).toEqual({ har: null, notAsked: [], stands: [] });
  });

  test('is not written either if a request is missing, which is reported', async () => {
    const { renewed } = await again({ now: [today(PAGE)] });
    expect(renewed).toEqual({ har: null, notAsked: [`GET ${OTHER.url}`], stands: [] });
  });

  test('replaces the changed exchanges and keeps the rest', async () => {
    const { written: now } = await again({ now: [today(PAGE), today(OTHER, 'changed')] });
    expect(now?.answers).toEqual([
      [PAGE.url, PAGE.body, 'yesterday'],
      [OTHER.url, 'changed', 'today'],
    ]);
    expect(now?.archive.provenance).toEqual({ ...LATER, started_at: '2026-01-01T00:00:00.000Z' });
    // The unneeded body is gone.
    expect(now?.bytes).not.toContain('otherPK');
    await now?.archive.check();
  });

  test.each<[string, Partial<SampleExchange>]>([
    ['its status', { status: 404 }],
    ['what it may do', { headers: [{ name: 'Content-Security-Policy', value: "script-src 'none'" }] }],
    ['a cookie', { headers: [{ name: 'set-cookie', value: 'new=1' }] }],
  ])('differs by %s alone', async (_what, change) => {
    expect((await again({ now: [{ ...PAGE, ...change }, OTHER] })).renewed?.har).not.toBeNull();
  });

  test('does not differ by the value of a cookie, which is drawn', async () => {
    const cookie = (value: string) => [{ name: 'set-cookie', value: `s=${value}; Path=/` }];
    const before = await archiveFile([{ ...PAGE, headers: cookie('1') }]);
    expect((await again({ before, now: [{ ...PAGE, headers: cookie('2') }] })).renewed?.har).toBeNull();
  });

  test('loses unrequested exchanges once something has changed', async () => {
    const { renewed, written: now } = await again({ now: [today(PAGE, 'changed')] });
    expect(renewed?.notAsked).toEqual([`GET ${OTHER.url}`]);
    expect(now?.answers.map(([url]) => url)).toEqual([PAGE.url]);
  });

  test('keeps exchanges that got no answer this time', async () => {
    const unreached = [
      { method: 'GET', url: OTHER.url, why: 'socket hang up' },
      { method: 'GET', url: 'https://b.test/', why: 'ENOTFOUND' },
    ];
    const { renewed, written: now } = await again({ now: [today(PAGE, 'changed')], unreached });
    expect(renewed).toMatchObject({ notAsked: [], stands: [`GET ${OTHER.url}`] });
    expect(now?.answers).toContainEqual([OTHER.url, 'other', 'yesterday']);
    expect(now?.archive.notRecorded).toEqual(unreached.slice(1));
    await now?.archive.check();
  });

  test('needs nothing more for a route whose exchanges another route already has', async () => {
    const { renewed } = await again({ now: [today(PAGE), today({ ...OTHER, page: 'a (near-miss 1)' })] });
    expect(renewed?.har).toBeNull();
  });

  test('is new if it was recorded at another place, or not at all', async () => {
    const elsewhere = { ...LATER, connect_to: ['a.test:443:127.0.0.1:1'] };
    expect((await again({ now: [PAGE, OTHER], from: elsewhere })).renewed).toBeNull();
    const before = await archiveFile([PAGE, OTHER], { kind: 'facsimile' });
    expect((await again({ before, now: [PAGE, OTHER] })).renewed).toBeNull();
  });
});
