import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Download } from '../../src/contract/evidence.ts';
import { call, deciding, refOf, stage, type Staged } from './staged-episode.ts';

const CSV = 'name,total\nAda,36\n';
const ATTACHED = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' };

const pressing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Go') }) : { kind: 'done', answer: null };
});

function file(body: string | Buffer, disposition = ATTACHED['content-disposition']) {
  return () => new Response(body, { headers: { ...ATTACHED, 'content-disposition': disposition } });
}

async function pressed(pages: Staged['pages'], success: Staged['task']['success'] = { kind: 'download' }) {
  const { result, evidence } = await stage({ task: { success }, pages, agent: pressing });
  const { downloads } = evidence.end ?? {};
  return { status: result.status, downloads: downloads?.captured === true ? downloads.value : downloads };
}

const PAGE = { '/': '<a href="/report">Go</a>' };

const WHOLE: Download = {
  name: 'report.csv',
  url: 'http://stage.localhost/report',
  state: 'completed',
  bytes: 18,
  sha256: createHash('sha256').update(CSV).digest('hex'),
  text: CSV,
  text_truncated: false,
};

test('a download is evidence with its name, address, size, hash and text', async () => {
  const equal = { kind: 'download', url_pattern: '/report$', equals: 'name,total Ada,36' } as const;
  expect(await pressed({ ...PAGE, '/report': file(CSV) }, equal)).toEqual({ status: 'passed', downloads: [WHOLE] });
});

test('a page that was opened instead is no download', async () => {
  expect(await pressed({ ...PAGE, '/report': CSV })).toEqual({ status: 'failed', downloads: [] });
});

test('a contract that asks for none has no downloads in its evidence, if there are none', async () => {
  const contract = { kind: 'dom_text', contains: 'Done' } as const;
  expect((await pressed({ ...PAGE, '/report': 'Done' }, contract)).downloads).toBeUndefined();
  expect((await pressed({ ...PAGE, '/report': file(CSV) }, contract)).downloads).toEqual([WHOLE]);
});

describe('the name that a site gives', () => {
  test.each([
    ['attachment; filename="../../x"', /^[^/\\]*x$/],
    [`attachment; filename*=UTF-8''a%00%0A%1Bb.csv`, /^[^\p{Cc}]*b\.csv$/u],
    ['attachment; filename="C:\\\\x.csv"', /x\.csv$/],
  ])('is text and never a path: %s', async (disposition, name) => {
    const { downloads } = await pressed({ ...PAGE, '/report': file(CSV, disposition) });
    expect(downloads).toEqual([{ ...WHOLE, name: expect.stringMatching(name) }]);
  });
});

describe('the text of a file', () => {
  test.each<[string, string | Buffer, Partial<Download>]>([
    ['is that of its bytes, whatever its type: HTML', '<h1>Log in</h1>', { text: '<h1>Log in</h1>' }],
    ['is null if the bytes are not text', Buffer.from([0x61, 0xff, 0xfe, 0x00]), { text: null }],
    ['is null if it has a null character', 'a\0b', { text: null }],
    ['may have a byte order mark', '\uFEFFa,b', { text: 'a,b' }],
    ['may be UTF-16 with a byte order mark', Buffer.from('\uFEFFa,b', 'utf16le'), { text: 'a,b' }],
    ['is cut at 64 KB', 'x'.repeat(70_000), { text: 'x'.repeat(65_536), text_truncated: true, bytes: 70_000 }],
  ])('%s', async (_, body, expected) => {
    expect((await pressed({ ...PAGE, '/report': file(body) })).downloads).toMatchObject([expected]);
  });
});

test('a file of more than 5 MB is cancelled, and inconclusive', async () => {
  expect(await pressed({ ...PAGE, '/report': file('x'.repeat(6_000_000)) })).toMatchObject({
    status: 'inconclusive',
    downloads: [{ state: 'too_large', bytes: null, sha256: null, text: null }],
  });
});

test('a download that does not end is inconclusive, and the judge goes on', async () => {
  const endless = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(CSV)) }), { headers: ATTACHED });
  expect(await pressed({ ...PAGE, '/report': endless })).toMatchObject({
    status: 'inconclusive',
    downloads: [{ state: 'in_progress', bytes: null, text: null }],
  });
});

test('a short download that is under way when the agent stops is waited for', async () => {
  const slow = () => {
    let sent = 0;
    const body = new ReadableStream({
      pull: async (stream) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        stream.enqueue(Buffer.from(CSV));
        if (++sent === 3) stream.close();
      },
    });
    return new Response(body, { headers: ATTACHED });
  };
  expect(await pressed({ ...PAGE, '/report': slow })).toMatchObject({ status: 'passed', downloads: [{ bytes: 54 }] });
});

test('a flood of downloads neither passes nor ends the episode', async () => {
  const flood = `<button onclick="for (let i = 0; i < 60; i++) {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.src = '/report';
  }">Go</button>`;
  expect(await pressed({ '/': flood, '/report': file(CSV) })).toEqual({
    status: 'inconclusive',
    downloads: { captured: false, why: 'more than 20 downloads have begun' },
  });
});

describe('a file that a script made', () => {
  test.each([
    ['blob:', `window.URL.createObjectURL(new Blob(['${CSV.replaceAll('\n', '\\n')}']))`],
    ['data:', `'data:text/csv,${encodeURIComponent(CSV)}'`],
  ])('is known by its address, %s', async (scheme, address) => {
    const page = {
      '/': `<button onclick="const a = document.createElement('a'); a.download = 'report.csv'; a.href = ${address.replaceAll('"', '&quot;')}; a.click()">Go</button>`,
    };
    const made = { ...WHOLE, url: expect.stringMatching(`^${scheme}`) };
    expect(await pressed(page)).toEqual({ status: 'passed', downloads: [made] });
    expect((await pressed(page, { kind: 'download', url_pattern: '.' })).status).toBe('failed');
  });
});

test('a download that a frame or a new tab begins is one of the episode', async () => {
  const framed = { '/': '<iframe src="/inner"></iframe><button onclick="frames[0].go.click()">Go</button>' };
  const inner = { '/inner': '<a id="go" href="/report">In</a>', '/report': file(CSV) };
  expect((await pressed({ ...framed, ...inner })).downloads).toEqual([WHOLE]);
  const opening = { '/': '<a target="_blank" href="/report">Go</a>', '/report': file(CSV) };
  expect((await pressed(opening)).downloads).toEqual([WHOLE]);
});
