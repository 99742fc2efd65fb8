import { existsSync } from 'node:fs';
import path from 'node:path';

/** The nearest folder, this one or one above it, that holds a `package.json`; null when there is none. */
export function packageFolderOf(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (at === path.dirname(at)) return null;
  }
}
