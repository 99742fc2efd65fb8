import { writeFile } from 'node:fs/promises';
import path from 'node:path';

export async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 1)}\n`);
}

/** Gives places as a suite file in the folder is to name them: relative to it. */
export function placesFrom(folder: string): (place: string) => string {
  return (place) => path.relative(path.resolve(folder), path.resolve(place)).split(path.sep).join('/');
}
