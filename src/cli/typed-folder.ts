import { realpathSync } from 'node:fs';
import path from 'node:path';

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
