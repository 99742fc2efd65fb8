import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Whether a place is a file that we may run. */
export function isExecutable(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

/** The first program of this name on the PATH; null when there is none. */
export function onPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.resolve(folder, name)).find(isExecutable) ?? null;
}
