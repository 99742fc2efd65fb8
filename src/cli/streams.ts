import type { Writable } from 'node:stream';
import { systemCode } from '../bundle/errors.ts';

/**
 * Lets output be lost once nobody reads it, as in `touchstone show … | head`. What runs goes on, and its exit code is
 * the same as with a reader.
 */
export function endQuietlyWithReader(stream: Writable): void {
  stream.on('error', (error) => {
    if (!READER_GONE.has(systemCode(error) ?? '')) throw error;
  });
}

/** `EIO` is what a terminal says that has been closed. */
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** Resolves when what was written has left this process, or never can. */
export async function allWritten(stream: Writable): Promise<void> {
  if (stream.destroyed) return;
  await new Promise<void>((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}
