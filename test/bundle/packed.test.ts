import { createWriteStream } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { MAX_PACKED } from '../../src/bundle/limits.ts';
import { packBundle } from '../../src/bundle/pack.ts';
import { unpackBundle } from '../../src/bundle/unpack.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const CAMPAIGN = 'campaign.json';
const ROW = `episodes/${'a'.repeat(32)}/1/row.json`;
const BLOB = `blobs/${'b'.repeat(64)}`;

async function someBundle(): Promise<string> {
  const root = path.join(await temporaryFolder(), 'bundle');
  for (const [at, name] of [ROW, CAMPAIGN, BLOB].entries()) {
    const place = path.join(root, name);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, `${name}\n`);
    await utimes(place, at, at);
  }
  return root;
}

interface Put {
  name: string;
  content?: Buffer | string;
  mode?: number;
}

/** A zip with these entries, whatever they are called: `yazl` takes no name that leads elsewhere, so each is put in afterwards. */
async function zipOf(entries: readonly Put[]): Promise<string> {
  const file = path.join(await temporaryFolder(), 'packed.zip');
  const zip = new ZipFile();
  const held = (at: number, { name }: Put) => `${String(at)}${'x'.repeat(Buffer.byteLength(name) - 1)}`;
  for (const [at, { content = 'x', mode = 0o100644, ...put }] of entries.entries()) {
    zip.addBuffer(Buffer.from(content), held(at, put), { mode });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  let bytes = (await readFile(file)).toString('latin1');
  for (const [at, put] of entries.entries()) {
    bytes = bytes.replaceAll(held(at, put), Buffer.from(put.name).toString('latin1'));
  }
  await writeFile(file, Buffer.from(bytes, 'latin1'));
  return file;
}

/** What an attempt to unpack is refused with. That anything was written, inside or outside of the folder, is a failure. */
async function refusal(file: string, limits = MAX_PACKED): Promise<string> {
  const around = await temporaryFolder();
  const folder = path.join(around, 'a/folder');
  await mkdir(folder, { recursive: true });
  const said = await unpackBundle(file, folder, limits).then(
    () => 'unpacked',
    (error: unknown) => String(error),
  );
  expect(await readdir(around, { recursive: true })).toEqual(['a', 'a/folder']);
  return said;
}

test('a bundle is packed and unpacked unchanged, and the same bundle gives the same bytes', async () => {
  const [one, other] = [await someBundle(), await someBundle()];
  const [file, again] = [`${one}.zip`, `${other}.zip`];
  await utimes(path.join(other, CAMPAIGN), 1_000_000, 1_000_000);
  expect(await packBundle(bundleLayout(one), file)).toBe(3);
  await packBundle(bundleLayout(other), again);
  expect((await readFile(file)).equals(await readFile(again))).toBe(true);
  const folder = await temporaryFolder();
  await unpackBundle(file, folder);
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(
    (await readdir(one, { recursive: true })).toSorted(),
  );
  for (const name of [CAMPAIGN, ROW, BLOB]) expect(await readFile(path.join(folder, name), 'utf8')).toBe(`${name}\n`);
});

describe('packing refuses', () => {
  test.each(['key.pem', 'blobs/notes.txt', `${path.dirname(ROW)}/trace.zip`])(
    '%s, which belongs to no bundle',
    async (name) => {
      const root = await someBundle();
      await writeFile(path.join(root, name), 'secret');
      await expect(packBundle(bundleLayout(root), `${root}.zip`)).rejects.toThrow(`"${name}" is not a file`);
      expect(await readdir(path.dirname(root))).toEqual(['bundle']);
    },
  );

  test('a link, wherever it leads', async () => {
    const root = await someBundle();
    await symlink('/etc/passwd', path.join(root, 'seal.json'));
    await expect(packBundle(bundleLayout(root), `${root}.zip`)).rejects.toThrow('"seal.json" is not a plain file');
  });

  test('a bundle that could not be unpacked, and keeps the earlier file', async () => {
    const root = await someBundle();
    await writeFile(path.join(root, 'rows.jsonl'), Buffer.alloc(10_000_000));
    await writeFile(`${root}.zip`, 'older');
    await expect(packBundle(bundleLayout(root), `${root}.zip`)).rejects.toThrow('unpacks to more than');
    expect(await readFile(`${root}.zip`, 'utf8')).toBe('older');
    expect(await readdir(path.dirname(root))).toEqual(['bundle', 'bundle.zip']);
  });
});

describe('a packed bundle is refused, and nothing of it is written:', () => {
  test.each([
    ['a path that leads out', '../x', 'invalid relative path'],
    ['one in the middle', `blobs/../../${'c'.repeat(64)}`, 'invalid relative path'],
    ['an absolute path', '/etc/cron.d/x', 'absolute path'],
    ['a path of Windows', String.raw`C:\x`, 'invalid characters'],
    ['a folder', 'blobs/', '"blobs/" is not a file of a bundle'],
    ['a file of another name', 'run.sh', '"run.sh" is not a file of a bundle'],
  ])('%s', async (_what, name, why) => {
    expect(await refusal(await zipOf([{ name: CAMPAIGN }, { name }]))).toContain(why);
  });

  test('a link', async () => {
    const file = await zipOf([{ name: CAMPAIGN }, { name: BLOB, content: '/etc/passwd', mode: 0o120777 }]);
    expect(await refusal(file)).toContain(`"${BLOB}" is not a plain file`);
  });

  test('a repeated file', async () => {
    expect(await refusal(await zipOf([{ name: CAMPAIGN }, { name: CAMPAIGN }]))).toContain(
      '"campaign.json" is in it twice',
    );
  });

  test.each([
    ['only in case', 'Campaign.json'],
    ['only as Unicode composes it', 'campaign.jso\u0144'],
    ['only as Unicode takes it apart', 'campaign.json\u0301'],
  ])('a name that differs %s', async (_how, name) => {
    expect(await refusal(await zipOf([{ name: CAMPAIGN }, { name }]))).toContain('is not a file of a bundle');
  });

  test('a small one that unpacks to a lot', async () => {
    const bomb = await zipOf([{ name: CAMPAIGN }, { name: 'rows.jsonl', content: Buffer.alloc(50_000_000) }]);
    expect(await refusal(bomb)).toMatch(/packed\.zip unpacks to more than \d+ bytes/);
  });

  test('one whose list gives a smaller size than a file has', async () => {
    const file = await zipOf([{ name: CAMPAIGN, content: Buffer.alloc(100_000) }]);
    const bytes = await readFile(file);
    const entry = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    bytes.writeUInt32LE(10, entry + 24);
    await writeFile(file, bytes);
    const folder = await temporaryFolder();
    await expect(unpackBundle(file, folder)).rejects.toThrow('cannot be unpacked: too many bytes');
  });

  test('one of too many files', async () => {
    const file = await zipOf([{ name: CAMPAIGN }, { name: BLOB }]);
    expect(await refusal(file, { ...MAX_PACKED, files: 1 })).toContain('unpacks to 2 files');
  });

  test('a file that is no zip', async () => {
    const file = path.join(await temporaryFolder(), 'packed.zip');
    await writeFile(file, '{}');
    expect(await refusal(file)).toContain('cannot be unpacked');
  });
});

test('one with valid files and names is unpacked, whatever program packed it', async () => {
  const file = await zipOf([{ name: CAMPAIGN }, { name: BLOB, mode: 0 }]);
  const [folder, copy] = [await temporaryFolder(), await temporaryFolder()];
  await unpackBundle(file, folder);
  await cp(folder, copy, { recursive: true });
  expect((await readdir(copy)).toSorted()).toEqual(['blobs', CAMPAIGN]);
});
