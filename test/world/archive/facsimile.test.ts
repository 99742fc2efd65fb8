import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Archive } from '../../../src/world/archive/archive.ts';
import { startArchiveWorld } from '../../../src/world/archive/archive-world.ts';
import { packFacsimile } from '../../../src/world/archive/facsimile.ts';
import { ArchiveIndex } from '../../../src/world/archive/matcher.ts';
import { BodyStore, writeArchive } from '../../../src/world/archive/write-archive.ts';
import { createTlsIdentity } from '../../../src/world/tls-identity.ts';
import { folderOf } from '../../suite-files.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { askHttp2 } from '../through-proxy.ts';

const PAGES = {
  'docs.example.com/index.html': '<h1>Docs</h1>',
  'docs.example.com/guide/index.html': '<h1>Guide</h1>',
  'docs.example.com/a b?.css': 'h1 {}',
  'docs.example.com/.hidden': 'no',
};

async function packed(folder: string): Promise<string> {
  await using bodies = await BodyStore.create();
  const file = path.join(await temporaryFolder(), 'web.zip');
  await writeArchive(file, await packFacsimile(folder, bodies, '1.0.0'), bodies);
  return file;
}

test('stand-in pages answer by their real addresses for any query, like a folder of files', async () => {
  const archive = await Archive.open(await packed(await folderOf(PAGES)));
  const index = new ArchiveIndex(archive.exchanges, []);
  const world = await startArchiveWorld({ archive, index, task: 'a', identity: await createTlsIdentity() });
  const answers: [place: string, status: number, body: string][] = [
    ['/', 200, '<h1>Docs</h1>'],
    ['/index.html', 200, '<h1>Docs</h1>'],
    ['/guide/', 200, '<h1>Guide</h1>'],
    ['/a%20b%3F.css', 200, 'h1 {}'],
    ['/.hidden', 504, 'not in the archive: GET https://docs.example.com/.hidden'],
    ['/guide', 504, 'not in the archive: GET https://docs.example.com/guide'],
  ];
  for (const [place, status, body] of answers) {
    expect(await askHttp2(world, `https://docs.example.com${place}`)).toMatchObject({ status, body });
  }
  const found = index.find({ method: 'GET', url: 'https://docs.example.com/?utm=1', digest: null });
  expect(found.exchanges).toHaveLength(1);
  expect(archive.provenance).toEqual({ kind: 'facsimile' });
  await world.close();
  archive.close();
});

test('the same pages give the same bytes, and other pages others', async () => {
  const first = await readFile(await packed(await folderOf(PAGES)));
  expect(await readFile(await packed(await folderOf(PAGES)))).toEqual(first);
  const changed = await folderOf({ ...PAGES, 'docs.example.com/index.html': '<h1>Dogs</h1>' });
  expect(await readFile(await packed(changed))).not.toEqual(first);
});

test('a link out of the folder is not followed', async () => {
  const folder = await folderOf(PAGES);
  await symlink('/etc/passwd', path.join(folder, 'docs.example.com/passwd'));
  await using bodies = await BodyStore.create();
  const { log } = await packFacsimile(folder, bodies, '1.0.0');
  expect(log.entries.map(({ request }) => request.url)).not.toContain('https://docs.example.com/passwd');
});

describe('a folder that cannot be packed is an error: one', () => {
  test.each([
    ['that is empty', {}, 'it is empty'],
    ['with a file next to the hosts', { 'readme.txt': 'x' }, '"readme.txt" in it is not a folder named after a host'],
    [
      'with a folder that is not a host',
      { 'Not A Host/x': 'x' },
      '"Not A Host" in it is not a folder named after a host',
    ],
  ])('%s', async (_, files, why) => {
    const folder = await folderOf(files);
    await using bodies = await BodyStore.create();
    await expect(packFacsimile(folder, bodies, '1.0.0')).rejects.toMatchObject({
      code: 'pages_cannot_be_packed',
      params: { folder, why },
    });
  });

  test('that is not there', async () => {
    await using bodies = await BodyStore.create();
    await expect(packFacsimile('/nowhere', bodies, '1.0.0')).rejects.toMatchObject({ code: 'pages_cannot_be_packed' });
  });
});
