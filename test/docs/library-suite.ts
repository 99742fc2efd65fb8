import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { blocksOf, pages } from './pages.ts';

/** Writes the files that docs/write-a-task.md shows, as its reader would, into a folder of the running test. */
export async function writeLibrarySuite(): Promise<string> {
  const folder = await temporaryFolder();
  await writeLibrarySuiteTo(folder);
  return path.join(folder, 'my-suite');
}

/** The same into this folder, as `my-suite`. */
export async function writeLibrarySuiteTo(folder: string): Promise<void> {
  const page = pages().find(({ name }) => name === 'docs/write-a-task.md');
  for (const { file, text } of page === undefined ? [] : blocksOf(page)) {
    if (file === null) continue;
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}
