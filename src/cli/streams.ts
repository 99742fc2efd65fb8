import path from 'node:path';
import type { Writable } from 'node:stream';
import { systemCode } from '../bundle/errors.ts';
import { realpathSync } from 'node:fs';

/**
 * Drops output without a reader, as in `touchstone show … | head`. The command goes on, with the same exit code.
 */
export function endQuietlyWithReader(stream: Writable): void {
  stream.on('error', (error) => {
    if (!READER_GONE.has(systemCode(error) ?? '')) throw error;
  });
}

/** `EIO` is the error of a closed terminal. */
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** Resolves when all output has left this process, or never can. */
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
 * Returns the folder in which `npm run touchstone` of this package was typed, since npm runs scripts in the root of the package. Null
 * for other scripts, which mean the current folder.
 */
export function typedFolder({ INIT_CWD: typed, npm_lifecycle_event: script }: Variables, cwd: string): string | null {
  return script === 'touchstone' && typed !== undefined && typed !== '' && isOurRoot(cwd) ? typed : null;
}

function isOurRoot(folder: string): boolean {
  return realpathSync(folder) === realpathSync(path.join(import.meta.dirname, '../..'));
}
