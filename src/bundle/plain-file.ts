import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fact } from '../messages/messages.ts';
import { BundleError, systemCode } from './errors.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

const PIECE_BYTES = 64 * 1024;

/**
 * Reads a whole file of an untrusted bundle: a link, a pipe, a device or a file above the limit is refused. Synchronous, since
 * a bundle has many small files, and waiting for a thread takes longer than reading one.
 * @throws BundleError naming the file.
 */
export function readPlainFile(path: string, maxBytes: number): Buffer {
  const { fd } = openPlainFile(path, maxBytes);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function* piecesOfPlainFile(path: string): Generator<Buffer, void> {
  const { fd, size } = openPlainFile(path, Number.MAX_SAFE_INTEGER);
  try {
    const room = Buffer.allocUnsafe(Math.min(size + 1, PIECE_BYTES));
    for (let bytes = readSync(fd, room); bytes > 0; bytes = readSync(fd, room)) {
      yield Buffer.from(room.subarray(0, bytes));
    }
  } finally {
    closeSync(fd);
  }
}

/** The caller closes it. */
function openPlainFile(path: string, maxBytes: number): { fd: number; size: number } {
  const fd = openUnfollowed(path);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw notAFile(path);
    if (stats.size > maxBytes)
      throw new BundleError(fact('file_too_large', { file: path, bytes: stats.size, most: maxBytes }));
    return { fd, size: stats.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openUnfollowed(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP' || code === 'ENXIO') throw notAFile(path, error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new BundleError(fact('file_missing', { file: path }), error);
    throw new BundleError(fact('file_unreadable', { file: path, why: String(code) }), error);
  }
}

function notAFile(path: string, cause?: unknown): BundleError {
  return new BundleError(fact('not_a_file', { file: path }), cause);
}
