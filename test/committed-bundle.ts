import { existsSync, mkdtempSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { packedBundle } from '../scripts/draw-bundles.ts';
import { type BundleLayout, bundleLayout } from '../src/bundle/layout.ts';
import { unpackBundle } from '../src/bundle/unpack.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Returns a folder with what a committed bundle holds, the same one in a whole run: copy it before you change it. */
export async function committedBundle(name: string): Promise<string> {
  const shared = process.env['TOUCHSTONE_TEST_BUNDLES'];
  if (shared === undefined) throw new Error('test/unpacked-bundles.ts has made no folder');
  const folder = path.join(shared, name);
  if (existsSync(folder)) return folder;
  const own = mkdtempSync(`${folder}-`);
  await unpackBundle(packedBundle(name), own);
  // Another worker may have been first.
  await rename(own, folder).catch(async () => rm(own, { recursive: true }));
  return folder;
}

/** Copies a bundle for the running test. */
export async function copyOf(bundle: string): Promise<BundleLayout> {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  await cp(bundle, layout.root, { recursive: true });
  return layout;
}
