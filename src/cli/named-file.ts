import { fact } from '../messages/messages.ts';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { systemCode } from '../bundle/errors.ts';
import { whyNotWritten } from '../run/new-folder.ts';
import { UsageError } from './exit-code.ts';

/**
 * Writes a file where the user wants it, with the folders that lead to it.
 * @throws UsageError when it cannot be written there.
 */
export async function writeNamedFile(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomically(file, text);
  } catch (error) {
    const why = systemCode(error) === 'EISDIR' ? 'a folder is in its place' : whyNotWritten(error);
    if (why === null) throw error;
    throw new UsageError(fact('not_writable', { place: file, why }));
  }
}
