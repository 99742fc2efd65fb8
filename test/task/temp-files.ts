import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempFiles extends AsyncDisposable {
  folder: string;
  path: (name: string) => string;
}

/** Writes files into a new temporary folder: `await using files = await tempFiles({ 'a.yaml': 'id: a' })`. */
export async function tempFiles(files: Record<string, string | Uint8Array>): Promise<TempFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-task-'));
  const path = (name: string): string => join(folder, name);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
  }
  return { folder, path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
