import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const PACKED = 'docs/bundles/stress.zip';
const FOLDER = await committedBundle('stress');

async function unpacked(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`touchstone-bundle-${process.pid}-`));
}

test.each([
  ['verify'],
  ['rejudge'],
  ['show'],
  ['show', 'sign-in + page-modal'],
  ['show', '--claims'],
  ['compare'],
  ['report', '--since', '2026-01-01'],
])('%s %s prints the same for a packed bundle as for the folder', async (command, ...rest) => {
  const [packed, folder] = [await touchstone(command, PACKED, ...rest), await touchstone(command, FOLDER, ...rest)];
  expect(packed).toEqual({ ...folder, out: folder.out.replaceAll(FOLDER, PACKED) });
  expect(packed.exit).toBe(0);
  expect(await unpacked()).toEqual([]);
});

test('publish and compare of two name it as the user did', async () => {
  const to = await temporaryFolder();
  expect(await touchstone('publish', PACKED, '--to', to)).toMatchObject({ exit: 0 });
  expect(JSON.parse((await touchstone('compare', PACKED, FOLDER, '--json')).out)).toMatchObject({ before: PACKED });
});

test.each([
  ['report', []],
  ['sign', ['--key', 'key.pem']],
  ['run', ['--resume']],
  ['pack', []],
] as const)(
  '%s writes into a bundle or makes one, and refuses a packed one with the way to unpack it',
  async (command, rest) => {
    const before = await readFile(PACKED);
    const { exit, err } = await touchstone(command, ...(command === 'run' ? [...rest, PACKED] : [PACKED, ...rest]));
    expect([exit, err]).toEqual([2, expect.stringContaining(`${PACKED} is packed`)]);
    expect(err).toContain('unzip -d <new folder>');
    expect((await readFile(PACKED)).equals(before)).toBe(true);
  },
);

test('pack makes of an unpacked folder the same file again', async () => {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'bundle');
  await cp(FOLDER, bundle, { recursive: true });
  expect(await touchstone('pack', bundle)).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/bundle\.zip {2}\d+ files/),
  });
  expect((await readFile(`${bundle}.zip`)).equals(await readFile(PACKED))).toBe(true);
  expect(await touchstone('verify', `${bundle}.zip`)).toMatchObject({ exit: 0 });
});

test('pack prints how to finish an unfinished bundle only', async () => {
  const bundle = path.join(await temporaryFolder(), 'my bundle');
  await cp(FOLDER, bundle, { recursive: true });
  expect((await touchstone('pack', bundle)).err).toBe('');
  await rm(path.join(bundle, 'seal.json'));
  const { exit, err } = await touchstone('pack', bundle);
  expect([exit, err]).toEqual([0, expect.stringContaining(`finish it with "touchstone run --resume '${bundle}'"`)]);
});

test('pack refuses a file in the bundle, and a folder that is not one', async () => {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'bundle');
  await cp(FOLDER, bundle, { recursive: true });
  const inside = await touchstone('pack', bundle, path.join(bundle, 'campaign.json'));
  expect([inside.exit, inside.err]).toEqual([2, expect.stringContaining('is inside the bundle itself')]);
  expect(await touchstone('pack', folder)).toMatchObject({ exit: 2, err: expect.stringContaining('campaign.json') });
});

test.each(['verify', 'rejudge', 'show', 'compare', 'publish'])(
  '%s of a file that is no packed bundle is bad input, and leaves nothing behind',
  async (command) => {
    const file = path.join(await temporaryFolder(), 'bundle.zip');
    await writeFile(file, (await readFile(PACKED)).subarray(0, 50_000));
    const { exit, err } = await touchstone(command, file);
    expect([exit, err]).toEqual([2, expect.stringContaining(`${file} cannot be unpacked`)]);
    expect(err).toContain('touchstone pack');
    expect(await unpacked()).toEqual([]);
  },
);

test('a packed bundle with a changed byte is refused', async () => {
  const file = path.join(await temporaryFolder(), 'bundle.zip');
  const bytes = await readFile(PACKED);
  // Blobs lie in it as they are.
  const at = bytes.indexOf(Buffer.from('IDAT')) + 100;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(file, bytes);
  const { exit, out } = await touchstone('verify', file);
  expect(out).toContain('does not match the hash in its name');
  expect(exit).toBe(1);
});
