import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadApp } from '../../../src/world/load-app.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const ADDRESS = 'http://invoice.localhost/nac3/manifest.json';
const OTHER = '{"plugin_slug":"invoice","nac_version":"2.3","elements":[]}\n';

async function servedBy(app: string, parameters: Record<string, string>): Promise<{ status: number; text: string }> {
  const opened = await (await loadApp(app))(parameters);
  const response = await opened.fetch(new Request(ADDRESS));
  const served = { status: response.status, text: await response.text() };
  await opened.close?.();
  return served;
}

test('the manifest is served unchanged, so that the checksum of a row is the one that a shell prints', async () => {
  const app = path.join(ROOT, 'apps/invoice/app.ts');
  const { text } = await servedBy(app, {});
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'served.json'), text);
  const line = 'sha256sum "$0" | head -c 12';
  const print = async (file: string) => (await promisify(execFile)('sh', ['-c', line, file])).stdout;
  expect(await print(path.join(folder, 'served.json'))).toBe(
    await print(path.join(path.dirname(app), 'manifest.json')),
  );
});

test('a manifest made by a tool replaces it, and a missing one does not', async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'apps'));
  await cp(path.join(ROOT, 'apps/invoice'), path.join(folder, 'apps/invoice'), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const app = path.join(folder, 'apps/invoice/app.ts');
  await writeFile(path.join(folder, 'apps/invoice/made-by-a-tool.json'), OTHER);
  expect(await servedBy(app, { manifest: 'made-by-a-tool.json' })).toEqual({ status: 200, text: OTHER });
  expect(await servedBy(app, { manifest: 'no-such.json' })).toMatchObject({ status: 404 });
  expect(await servedBy(app, { manifest: '../invoice/made-by-a-tool.json' })).toMatchObject({ status: 404 });
});
