import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const TEMPORARY = /^\.[^/]+\.[0-9a-f-]{36}\.tmp$/;

/** Writes a file so that every reader, even after a kill, sees the old bytes or the new ones, whole and on disk. */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array | AsyncIterable<string>,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await writeFile(file, data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes leftovers of a killed {@link writeFileAtomically}. Only for a folder with one writer. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (TEMPORARY.test(name)) await rm(join(folder, name), { force: true });
  }
}
