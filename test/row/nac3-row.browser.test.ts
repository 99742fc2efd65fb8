import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const NAC3 = path.resolve(import.meta.dirname, '../../apps/nac3');
const PAGE = `<!doctype html><main data-nac-plugin="shop"><label>Name <input data-nac-id="shop.name" data-nac-role="field"></label>
  <button data-nac-id="shop.save" data-nac-role="action" data-nac-action="save">Save</button><p></p></main>`;
const OURS = `${PAGE}<script type="module" src="/nac3/nac3.js"></script><script type="module">
  NAC.register(await (await fetch('/nac3/manifest.json')).json());
  NAC.bindAction(document.querySelector('button'), () => {
    document.querySelector('p').textContent = 'Saved ' + document.querySelector('input').value;
  });
</script>`;
const VENDORS = `${PAGE}<script>
  const element = (nac_id, role, label) => ({ nac_id, plugin: 'shop', role, label, visible: true, disabled: false });
  window.NAC = {
    version: '2.2.1',
    describe: () => ({ active: 'shop', plugins: [{ plugin: 'shop', elements: [
      element('shop.name', 'field', 'Name'), element('shop.save', 'action', 'Save') ] }] }),
    fill: async (id, value) => { document.querySelector('input').value = value; return { ok: true }; },
    click: async () => { document.querySelector('p').textContent = 'Saved ' + document.querySelector('input').value; return { ok: true }; },
  };
</script>`;

async function suite(page: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(NAC3, path.join(folder, 'site/nac3'), { recursive: true });
  await writeFile(path.join(folder, 'site/index.html'), page);
  await writeFile(path.join(folder, 'site/nac3/manifest.json'), '{ "plugin_slug": "shop", "nac_version": "2.3.0" }\n');
  await mkdir(path.join(folder, 'tasks'));
  await writeFile(
    path.join(folder, 'suite.yaml'),
    `id: shop
title: Shop
tasks: [tasks/save.yaml]
world: { kind: local, sites: [{ origin: http://shop.localhost, static: site }] }
`,
  );
  await writeFile(
    path.join(folder, 'tasks/save.yaml'),
    `id: save
title: Save
startUrl: http://shop.localhost/
goal: Save the name Ada
success: { kind: dom_text, contains: Saved Ada }
solutions:
  - steps:
      - { do: fill, label: Name, text: Ada }
      - { do: click, role: button, name: Save }
`,
  );
  return folder;
}

async function rowsOf(folder: string, surfaces: string): Promise<unknown[]> {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', folder, '--agent', 'reference', '--surface', surfaces, '--out', bundle);
  expect(ran).toMatchObject({ exit: 0 });
  const lines = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  const rows = lines.map((line) => z.looseObject({ surface: z.string() }).parse(JSON.parse(line)));
  return rows.toSorted((a, b) => (a.surface < b.surface ? 1 : -1));
}

test("a row names the runtime that ran, and hashes the served files as the seed's own command does", async () => {
  const folder = await suite(OURS);
  const print = async (command: string) =>
    (await promisify(execFile)('sh', ['-c', `LC_ALL=C; ${command}`], { cwd: path.join(folder, 'site/nac3') })).stdout;
  const served = {
    status: 'passed',
    manifest_checksum: await print('sha256sum manifest.json | head -c 12'),
    runtime_hash: (await print('sha256sum *.js | sha256sum')).slice(0, 64),
  };
  expect(await rowsOf(folder, 'nac3,aria')).toMatchObject([
    { surface: 'nac3', runtime_version: expect.stringMatching(/^touchstone-nac3 \d/), script_calls: 0, ...served },
    // The page is the same for all; a surface that does not ask the runtime does not know its name.
    { surface: 'aria', runtime_version: null, ...served },
  ]);
});

test("a vendor's runtime has its version in the row, and the reason for the missing hash", async () => {
  const why = 'not served from /nac3/ of the world, or not the same each time';
  expect(await rowsOf(await suite(VENDORS), 'nac3')).toMatchObject([
    {
      status: 'passed',
      runtime_version: '2.2.1',
      runtime_hash: null,
      manifest_checksum: null,
      null_reasons: { runtime_hash: why, manifest_checksum: why },
    },
  ]);
});
