import path from 'node:path';
import type { Writable } from 'node:stream';
import { systemCode } from '../bundle/errors.ts';
import { realpathSync } from 'node:fs';

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

type Variables = Partial<Record<'INIT_CWD' | 'npm_lifecycle_event', string>>;

/**
 * Returns the folder in which a command was typed where `npm run touchstone` of this very package runs it, as npm runs scripts in the
 * root of the package; null where nothing but the current folder is meant, as in a script of ours that names files from there, or
 * in one of somebody else's package, whatever its name is.
 */
export function typedFolder({ INIT_CWD: typed, npm_lifecycle_event: script }: Variables, cwd: string): string | null {
  return script === 'touchstone' && typed !== undefined && typed !== '' && isOurRoot(cwd) ? typed : null;
}

function isOurRoot(folder: string): boolean {
  return realpathSync(folder) === realpathSync(path.join(import.meta.dirname, '../..'));
}
