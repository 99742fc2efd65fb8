import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { Archive } from '../../../src/world/archive/archive.ts';
import { BodyStore } from '../../../src/world/archive/write-archive.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { archiveFile, RECORDED, sampleHar } from './sample-archive.ts';

const EXCHANGES = [
  { url: 'https://a.test/', body: '<h1>A</h1>' },
  { url: 'https://a.test/b', body: 'b' },
];

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

async function stranger(files: Record<string, string | Buffer>, edit = (zip: Buffer): Buffer => zip): Promise<string> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name, { mtime: new Date(0) });
  zip.end();
  const file = path.join(await temporaryFolder(), 'web.zip');
  await writeFile(file, edit(await buffer(zip.outputStream)));
  return file;
}

async function sampleIndex(body = 'b'): Promise<string> {
  await using bodies = await BodyStore.create();
  return JSON.stringify(await sampleHar([{ url: 'https://a.test/', body }], bodies));
}

describe('an archive', () => {
  test('returns its content, with the provenance', async () => {
    const archive = await Archive.open(await archiveFile(EXCHANGES));
    const bodies = await Promise.all(archive.exchanges.map((exchange) => archive.body(exchange)));
    expect(bodies.map(String)).toEqual(['<h1>A</h1>', 'b']);
    expect(archive.provenance).toEqual(RECORDED);
    archive.close();
  });

  test('has the same bytes for the same content, and their hash', async () => {
    const [one, other] = [await archiveFile(EXCHANGES), await archiveFile(EXCHANGES)];
    const bytes = await readFile(one);
    expect(await readFile(other)).toEqual(bytes);
    const archive = await Archive.open(one);
    archive.close();
    expect(archive.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await readFile(await archiveFile(EXCHANGES.slice(1)))).not.toEqual(bytes);
  });

  test('compressed by another program can be read', async () => {
    const file = await stranger({ 'web.har': await sampleIndex(), [`bodies/${hash('b')}`]: 'b' });
    const archive = await Archive.open(file);
    const [exchange] = archive.exchanges;
    expect(exchange && String(await archive.body(exchange))).toBe('b');
    archive.close();
  });

  test('is an error with a remedy if it is missing', async () => {
    await expect(Archive.open('/nowhere/web.zip')).rejects.toMatchObject({
      code: 'archive_missing',
      params: { file: '/nowhere/web.zip' },
    });
  });
});

describe('an archive that is broken is an error that names the file: one', () => {
  const cases: [string, () => Promise<string>, string][] = [
    ['that is no zip', async () => stranger({}, () => Buffer.from('hello')), 'End of central directory'],
    ['that is cut off', async () => stranger({ 'web.har': await sampleIndex() }, (zip) => zip.subarray(0, -30)), ''],
    ['without an index', async () => stranger({ [`bodies/${hash('b')}`]: 'b' }), '0 indexes'],
    ['with two indexes', async () => stranger({ 'a.har': '{}', 'b.har': '{}' }), '2 indexes'],
    ['whose index is no JSON', async () => stranger({ 'web.har': 'hello' }), 'web.har is not the index'],
    ['whose index is not of ours', async () => stranger({ 'web.har': '{"log":{"version":"1.2"}}' }), 'log.creator'],
    ['with a body that is missing', async () => stranger({ 'web.har': await sampleIndex() }), 'is not in it'],
    [
      'with a file that does not belong in it',
      async () => stranger({ 'web.har': await sampleIndex(), 'run.sh': 'rm' }),
      '"run.sh", which does not belong',
    ],
    [
      'with a name that leads out of it',
      async () => stranger({ 'web.har': '{}', 'xx/evil': '' }, (zip) => replaced(zip, 'xx/evil', '../evil')),
      '../evil',
    ],
    [
      'with a name twice',
      async () => stranger({ 'a.har': '{}', 'b.har': '{}' }, (zip) => replaced(zip, 'b.har', 'a.har')),
      '"a.har" twice',
    ],
    [
      'with an index that refers to what is no body',
      async () => stranger({ 'web.har': (await sampleIndex()).replaceAll(/bodies\/[0-9a-f]+/g, '../../etc/passwd') }),
      'is not the name of a body',
    ],
    [
      'with an index that is too large',
      async () => stranger({ 'web.har': Buffer.alloc(257 * 1024 * 1024, ' ') }),
      'too many',
    ],
  ];
  test.each(cases)('%s', async (_, make, why) => {
    const file = await make();
    await expect(Archive.open(file)).rejects.toMatchObject({
      code: 'archive_broken',
      params: { file, why: expect.stringContaining(why) },
    });
  });

  test('whose body does not match the hash in its name, when that body is served', async () => {
    const files = { 'web.har': await sampleIndex(), [`bodies/${hash('b')}`]: 'forged' };
    const archive = await Archive.open(await stranger(files));
    const [exchange] = archive.exchanges;
    await expect(exchange && archive.body(exchange)).rejects.toMatchObject({
      code: 'archive_broken',
      params: { why: expect.stringContaining('does not match the hash in its name') },
    });
    archive.close();
  });

  test('whose body unpacks to more than its list states, when that body is served', async () => {
    const bomb = Buffer.alloc(1024 * 1024);
    const name = `bodies/${createHash('sha256').update(bomb).digest('hex')}`;
    const index = (await sampleIndex()).replaceAll(/bodies\/[0-9a-f]+/g, name);
    // The list of files, at the end, states the size once more: there it is made small.
    const file = await stranger({ [name]: bomb, 'web.har': index }, (zip) => {
      const listed = zip.indexOf(Buffer.from('PK\u0001\u0002'));
      zip.writeUInt32LE(10, listed + 24);
      return zip;
    });
    const archive = await Archive.open(file);
    const [exchange] = archive.exchanges;
    await expect(exchange && archive.body(exchange)).rejects.toMatchObject({ code: 'archive_broken' });
    archive.close();
  });
});

function replaced(zip: Buffer, name: string, by: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(name, by), 'latin1');
}
