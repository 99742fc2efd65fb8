import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packedBundle } from '../scripts/draw-bundles.ts';
import { unpackBundle } from '../src/bundle/unpack.ts';

const unpacked = new Map<string, Promise<string>>();

/** Returns a folder with what a committed bundle holds, the same one in the whole process. Who changes it copies it first. */
export async function committedBundle(name: string): Promise<string> {
  const known = unpacked.get(name);
  if (known !== undefined) return await known;
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-test-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const unpacking = unpackBundle(packedBundle(name), folder).then(() => folder);
  unpacked.set(name, unpacking);
  return await unpacking;
}
