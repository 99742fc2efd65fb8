import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import { BundleError, systemCode } from './errors.ts';
import { isFileOfBundle } from './layout.ts';
import { MAX_PACKED } from './limits.ts';
import { shortened } from '../messages/printable.ts';

type Limits = typeof MAX_PACKED;

const FILE_TYPE = 0o170_000;
const PLAIN_FILE = 0o100_000;

/**
 * Unpacks a bundle into an empty folder. All names, types and sizes are checked before anything is written.
 * @throws BundleError unless it is a zip of plain files of a bundle, each once, and not too large.
 */
export async function unpackBundle(file: string, folder: string, limits: Limits = MAX_PACKED): Promise<void> {
  const zip = await opened(file);
  try {
    for (const entry of await checkedEntries(file, zip, limits)) {
      const place = path.join(folder, entry.fileName);
      await mkdir(path.dirname(place), { recursive: true });
      // Reading stops at the listed size, so that a file cannot swell beyond it.
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(place, { flags: 'wx' }));
    }
  } catch (error) {
    throw refusal(file, error);
  } finally {
    zip.close();
  }
}

/** Checks the list of files of a packed bundle as {@link unpackBundle} does. @throws BundleError likewise. */
export async function checkPacked(file: string, limits: Limits = MAX_PACKED): Promise<void> {
  const zip = await opened(file);
  try {
    await checkedEntries(file, zip, limits);
  } catch (error) {
    throw refusal(file, error);
  } finally {
    zip.close();
  }
}

async function opened(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true, strictFileNames: true });
  } catch (error) {
    throw refusal(file, error);
  }
}

async function checkedEntries(file: string, zip: ZipFile, limits: Limits): Promise<Entry[]> {
  if (zip.entryCount > limits.files) {
    throw new BundleError(fact('packed_too_many', { file, files: zip.entryCount, most: limits.files }));
  }
  const most = Math.min(limits.bytes, (await stat(file)).size * limits.ratio);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (!isFileOfBundle(name)) throw strange(file, name, 'foreign');
    if (!isPlain(entry)) throw strange(file, name, 'link');
    if (entries.has(name)) throw strange(file, name, 'twice');
    bytes += entry.uncompressedSize;
    if (bytes > most) throw new BundleError(fact('packed_too_large', { file, most }));
    entries.set(name, entry);
  }
  return [...entries.values()];
}

/** Zips made without Unix file types have none. */
function isPlain({ externalFileAttributes: attributes }: Entry): boolean {
  const type = (attributes >>> 16) & FILE_TYPE;
  return type === PLAIN_FILE || type === 0;
}

function strange(file: string, name: string, what: 'foreign' | 'link' | 'twice'): BundleError {
  const shown = JSON.stringify(shortened(name, 80));
  return new BundleError(fact('packed_strange', { file, name: shown, what }));
}

function refusal(file: string, error: unknown): unknown {
  if (error instanceof BundleError) return error;
  // A full disk is not the bundle's fault; faults of a zip have no code, or one of zlib.
  const code = systemCode(error);
  if (code !== null && !code.startsWith('Z_')) return error;
  return new BundleError(fact('packed_unreadable', { file, why: messageOf(error) }), error);
}
