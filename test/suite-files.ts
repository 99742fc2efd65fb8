import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadSuite, type LoadedSuite } from '../src/task/load-suite.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Loads the suite in a folder. @throws if it has problems */
export async function suiteIn(folder: string): Promise<LoadedSuite> {
  const loaded = await loadSuite(folder);
  if (!loaded.ok) throw new Error(`${folder}: ${JSON.stringify(loaded.problems)}`);
  return loaded.suite;
}

/** Loads a suite of the package. */
export async function builtIn(id: string): Promise<LoadedSuite> {
  return await suiteIn(path.resolve(import.meta.dirname, '../suites', id));
}

/** Writes files into a folder of the running test, or one below it. */
export async function folderOf(files: Record<string, string>, below = ''): Promise<string> {
  const folder = path.join(await temporaryFolder(), below);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}
