import { randomUUID } from 'node:crypto';
import { closeSync, createWriteStream, openSync, readSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { type BundleLayout, isFileOfBundle } from './layout.ts';
import { checkPacked } from './unpack.ts';

/** The same time, mode and order for all files, so that the same bundle gives the same bytes. */
const SAME_FOR_ALL = { mtime: new Date('1980-01-01T00:00:00Z'), mode: 0o100644, forceDosTimestamp: true };

/**
 * Packs a bundle, finished or not, into one zip, replacing the file. Returns the number of files.
 * @throws BundleError naming a foreign file, which would be published with the bundle.
 */
export async function packBundle({ root }: BundleLayout, file: string): Promise<number> {
  const names = await filesIn(root);
  const zip = new ZipFile();
  const broken = new AbortController();
  zip.on('error', (error) => {
    broken.abort(error);
  });
  // Blobs are compressed already.
  for (const name of names) {
    zip.addFile(path.join(root, name), name, { ...SAME_FOR_ALL, compress: !name.startsWith('blobs/') });
  }
  zip.end();
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    await pipeline(zip.outputStream, createWriteStream(temporary, { flags: 'wx' }), { signal: broken.signal });
    await checkPacked(temporary);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw broken.signal.aborted ? broken.signal.reason : error;
  }
  return names.length;
}

/** Whether a file begins as a zip of {@link packBundle} does. */
export function isPackedBundle(file: string): boolean {
  if (!file.endsWith('.zip')) return false;
  const head = Buffer.alloc(128);
  const opened = openSync(file, 'r');
  readSync(opened, head);
  closeSync(opened);
  const name = head.toString('latin1', 30, 30 + head.readUInt16LE(26));
  return (
    head.toString('latin1', 0, 4) === 'PK\u0003\u0004' && /^(?:blobs\/|campaign)/.test(name) && isFileOfBundle(name)
  );
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const name = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    if (!entry.isFile() || !isFileOfBundle(name)) {
      const what = { folder: root, name: JSON.stringify(name), plain: entry.isFile() };
      throw new BundleError(fact('foreign_file', what));
    }
    names.push(name);
  }
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}
