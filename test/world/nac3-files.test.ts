import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { answering, openWorld } from './open-world.ts';
import { ask } from './through-proxy.ts';

const FILES: Record<string, string> = {
  '/nac3/nac3.js': 'import "./dom.js";\n',
  '/nac3/dom.js': 'export {};\n',
  '/nac3/manifest.json': '{ "plugin_slug": "shop" }\n',
  '/other.js': 'export {};\n',
};
const app = answering(({ url }) => new Response(FILES[new URL(url).pathname]));

async function printed(command: string): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(FILES))
    if (name.startsWith('/nac3/')) await writeFile(path.join(folder, path.basename(name)), text);
  const { stdout } = await promisify(execFile)('sh', ['-c', `LC_ALL=C; ${command}`], { cwd: folder });
  return stdout;
}

test('served files are hashed as the standard tools hash them', async () => {
  await using world = await openWorld({ 'http://a.test': app });
  for (const name of Object.keys(FILES)) {
    expect(await ask(world, `http://a.test${name}`)).toMatchObject({ status: 200, body: FILES[name] });
  }
  expect(world.nac3()).toEqual({
    manifestChecksum: await printed('sha256sum manifest.json | head -c 12'),
    runtimeHash: (await printed('sha256sum *.js | sha256sum')).slice(0, 64),
  });
});

test('unserved files have no hash', async () => {
  await using world = await openWorld({ 'http://a.test': answering(() => new Response('no', { status: 404 })) });
  await ask(world, 'http://a.test/nac3/manifest.json');
  await ask(world, 'http://a.test/nac3/nac3.js');
  expect(world.nac3()).toEqual({ manifestChecksum: null, runtimeHash: null });
});

test('a file that changed between requests has no hash', async () => {
  let count = 0;
  const changing = answering(() => {
    count += 1;
    return new Response(`${count}`);
  });
  await using world = await openWorld({ 'http://a.test': changing });
  for (const name of ['manifest.json', 'manifest.json', 'nac3.js', 'nac3.js'])
    await ask(world, `http://a.test/nac3/${name}`);
  expect(world.nac3()).toEqual({ manifestChecksum: null, runtimeHash: null });
});

test('a file served the same twice has one', async () => {
  await using world = await openWorld({ 'http://a.test': app });
  await ask(world, 'http://a.test/nac3/manifest.json');
  const once = world.nac3();
  await ask(world, 'http://a.test/nac3/manifest.json?again');
  expect(once.manifestChecksum).toMatch(/^[0-9a-f]{12}$/);
  expect(world.nac3()).toEqual(once);
});

test('the checksum covers the whole file: a change in any element changes it', async () => {
  const file = await readFile(path.resolve(import.meta.dirname, '../../apps/invoice/manifest.json'), 'utf8');
  const manifest: { elements: object[] } = JSON.parse(file);
  const changed = manifest.elements.map((element, at) => {
    const other = { ...element, note: 'changed' };
    return JSON.stringify({ ...manifest, elements: manifest.elements.with(at, other) });
  });
  const checksums = new Set<string | null>();
  for (const served of [file, `${file} `, JSON.stringify(manifest), ...changed]) {
    await using world = await openWorld({ 'http://a.test': answering(() => new Response(served)) });
    await ask(world, 'http://a.test/nac3/manifest.json');
    checksums.add(world.nac3().manifestChecksum);
  }
  expect(manifest.elements.length).toBeGreaterThan(20);
  expect(checksums.size).toBe(manifest.elements.length + 3);
  expect(checksums).not.toContain(null);
});
