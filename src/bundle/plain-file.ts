import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { BundleError, systemCode } from './errors.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens a file of a bundle that we may not trust: a link, a pipe or a device is refused, and so is a file above the limit.
 * @throws BundleError naming the file; `file_missing` when there is none.
 */
export async function openPlainFile(path: string, maxBytes: number): Promise<{ file: FileHandle; stats: Stats }> {
  const file = await openUnfollowed(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notAFile(path);
    if (stats.size > maxBytes) {
      throw new BundleError(
        'too_large',
        `${path} holds ${stats.size} bytes`,
        `raise the limit above ${maxBytes} bytes`,
      );
    }
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a whole file under the same rules. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  const { file } = await openPlainFile(path, maxBytes);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function openUnfollowed(path: string): Promise<FileHandle> {
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP' || code === 'ENXIO') throw notAFile(path, error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new BundleError('file_missing', `${path} is missing`, 'fetch the whole bundle again', { cause: error });
    }
    throw new BundleError('unreadable', `${path} cannot be read (${code})`, 'check its permissions', { cause: error });
  }
}

function notAFile(path: string, cause?: unknown): BundleError {
  return new BundleError(
    'not_a_file',
    `${path} is not a plain file`,
    'a bundle holds plain files only; do not trust this one',
    {
      cause,
    },
  );
}
