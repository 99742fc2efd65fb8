import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRedactor } from '../../../src/bundle/redact.ts';
import { Archive } from '../../../src/world/archive/archive.ts';
import type { Har } from '../../../src/world/archive/har.ts';
import { Recorder } from '../../../src/world/archive/recorder.ts';
import { BodyStore, writeArchive } from '../../../src/world/archive/write-archive.ts';
import { parseConnectTo, LiveWeb } from '../../../src/world/live/live-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { webServer } from '../live/web-server.ts';
import { RECORDED, sampleHar } from './sample-archive.ts';

interface Setting {
  redact?: (text: string) => string;
  maxBodyBytes?: number;
}

async function recorderOf(
  answer: Parameters<typeof webServer>[0],
  { redact = (text) => text, ...limits }: Setting = {},
) {
  const site = await webServer(answer);
  const web = new LiveWeb([parseConnectTo(`www.example.com:80:127.0.0.1:${site.port}`)]);
  const bodies = await BodyStore.create();
  onTestFinished(async () => {
    web.close();
    await site.close();
    await bodies[Symbol.asyncDispose]();
  });
  const recorder = new Recorder({ web, bodies, redact, ...limits });
  const get = (place: string, init?: RequestInit) =>
    recorder.answer('a', new Request(`http://www.example.com${place}`, init));
  const archived = async (): Promise<{ archive: Archive; file: string }> => {
    const { entries, notRecorded } = await recorder.finish(5_000);
    const file = path.join(await temporaryFolder(), 'web.zip');
    const touchstone = { schema_version: 1 as const, provenance: RECORDED, not_recorded: [...notRecorded] };
    const har: Har = {
      log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [], entries, _touchstone: touchstone },
    };
    await writeArchive(file, har, bodies);
    const archive = await Archive.open(file);
    onTestFinished(() => archive.close());
    return { archive, file };
  };
  return { site, recorder, get, archived };
}

async function bodiesOf(archive: Archive): Promise<string[]> {
  return (await Promise.all(archive.exchanges.map((exchange) => archive.body(exchange)))).map(String);
}

describe('a recorder', () => {
  test('keeps each answer, and passes it on', async () => {
    const { get, archived } = await recorderOf((request, reply) => {
      reply.setHeader('x-one', '1').end(`this is ${request.url ?? ''}`);
    });
    const reply = await get('/one');
    expect([reply.status, await reply.text()]).toEqual([200, 'this is /one']);
    await (await get('/two', { method: 'POST', body: 'q=1' })).text();
    const { archive } = await archived();
    expect(archive.exchanges).toMatchObject([
      { page: 'a', method: 'GET', url: 'http://www.example.com/one', digest: null, status: 200 },
      { page: 'a', method: 'POST', url: 'http://www.example.com/two', digest: expect.any(String), status: 200 },
    ]);
    expect(archive.exchanges[0]?.headers).toContainEqual({ name: 'x-one', value: '1' });
    expect(await bodiesOf(archive)).toEqual(['this is /one', 'this is /two']);
  });

  test.each([
    ['gzip', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['deflate', deflateSync('hello')],
    ['deflate', deflateRawSync('hello')],
    ['gzip, br', brotliCompressSync(gzipSync('hello'))],
  ])('keeps a body that came as %s decoded', async (encoding, packed) => {
    const { get, archived } = await recorderOf((_request, reply) => {
      reply.setHeader('content-encoding', encoding).end(packed);
    });
    const reply = await get('/');
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(packed);
    expect(await bodiesOf((await archived()).archive)).toEqual(['hello']);
  });

  test('asks for the whole, in an encoding that it can undo', async () => {
    const heard: unknown[] = [];
    const { get } = await recorderOf(({ headers }, reply) => {
      heard.push([headers['accept-encoding'], headers.range, headers['if-none-match'], headers['if-modified-since']]);
      reply.end();
    });
    const headers = {
      'accept-encoding': 'zstd, br',
      range: 'bytes=0-1',
      'if-none-match': '"v1"',
      'if-modified-since': 'x',
    };
    await get('/', { headers });
    expect(heard).toEqual([['gzip, deflate, br', undefined, undefined, undefined]]);
  });

  test('keeps the whole of a response that the browser abandoned', async () => {
    const { get, archived } = await recorderOf((_request, reply) => {
      reply.write('first ');
      setImmediate(() => reply.end('last'));
    });
    await (await get('/')).body?.cancel();
    expect(await bodiesOf((await archived()).archive)).toEqual(['first last']);
  });

  const lost: [string, Parameters<typeof webServer>[0], Setting, string][] = [
    ['is too long', (_, reply) => reply.end('x'.repeat(11)), { maxBodyBytes: 10 }, 'its body has more than 10 bytes'],
    [
      'is too long once it is decoded',
      (_, reply) => reply.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(1_000))),
      { maxBodyBytes: 100 },
      'Cannot create a Buffer larger than 100 bytes',
    ],
    [
      'is encoded in a way that is not known',
      (_, reply) => reply.setHeader('content-encoding', 'zip').end('x'),
      {},
      'its encoding "zip" is not known',
    ],
    [
      'breaks off',
      (request, reply) => reply.writeHead(200, { 'content-length': 9 }).write('x', () => request.socket.destroy()),
      {},
      'aborted',
    ],
    ['is not there', (request) => request.socket.destroy(), {}, 'socket hang up'],
  ];
  test.each(lost)('reports a response that %s instead of keeping it', async (_, answer, limits, why) => {
    const { get, archived } = await recorderOf(answer, limits);
    await (await get('/')).text().catch(() => '');
    const { archive } = await archived();
    expect(archive.exchanges).toEqual([]);
    expect(archive.notRecorded).toEqual([
      { method: 'GET', url: 'http://www.example.com/', why: expect.stringContaining(why) },
    ]);
  });

  test('does not wait forever for a stream that does not end, and reports it', async () => {
    const { recorder, get } = await recorderOf((_request, reply) => {
      reply.write('first');
    });
    await get('/events');
    const { entries, notRecorded } = await recorder.finish(1);
    expect(entries).toEqual([]);
    expect(notRecorded).toMatchObject([{ url: 'http://www.example.com/events', why: 'it had not ended' }]);
  });
});

describe('a secret', () => {
  const SECRET = 'hunter2-hunter2';
  const { text: redact } = createRedactor([{ name: 'PASS', value: SECRET }]);

  async function archiveBytes(redactWith: (text: string) => string): Promise<string> {
    const { get, archived } = await recorderOf(
      (_request, reply) => {
        reply.setHeader('content-encoding', 'gzip').setHeader('set-cookie', `token=${SECRET}`);
        reply.end(gzipSync(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`it is ${SECRET}`)])));
      },
      { redact: redactWith },
    );
    const headers = {
      authorization: `Bearer ${SECRET}`,
      cookie: `s=${SECRET}`,
      'x-key': SECRET,
      'content-type': 'text/plain',
    };
    await (await get(`/?key=${SECRET}`, { method: 'POST', headers, body: `pass=${SECRET}` })).text().catch(() => '');
    return (await readFile((await archived()).file)).toString('latin1');
  }

  test('is nowhere in an archive', async () => {
    const bytes = await archiveBytes(redact);
    expect(bytes).not.toContain(SECRET);
    expect(bytes).toContain('it is [secret:PASS]');
    expect(bytes).toContain('token=[secret:PASS]');
    expect(bytes.startsWith('PK')).toBe(true);
  });

  test('would be found if it were not removed, except for credentials', async () => {
    const bytes = await archiveBytes((text) => text);
    expect(bytes).toContain(`it is ${SECRET}`);
    expect(bytes).not.toContain(`Bearer ${SECRET}`);
    expect(bytes).not.toContain(`s=${SECRET}"`);
  });
});

test('writing an archive leaves the old one until the new one is whole', async () => {
  await using bodies = await BodyStore.create();
  const file = path.join(await temporaryFolder(), 'web.zip');
  await writeFile(file, 'old');
  const gone = await BodyStore.create();
  const har = await sampleHar([{ url: 'https://a.test/', body: 'x' }], gone);
  await gone[Symbol.asyncDispose]();
  await expect(writeArchive(file, har, gone)).rejects.toThrow('ENOENT');
  expect(await readFile(file, 'utf8')).toBe('old');
  await writeArchive(file, await sampleHar([{ url: 'https://a.test/', body: 'x' }], bodies), bodies);
  expect(await readFile(file, 'latin1')).toMatch(/^PK/);
});
