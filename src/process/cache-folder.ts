import { homedir } from 'node:os';
import path from 'node:path';

/** The folder of what is kept between runs, by what it is: `~/.cache/touchstone/<kind>`; `TOUCHSTONE_CACHE` names another place. */
export function cacheFolder(kind: 'apps' | 'trials', env: NodeJS.ProcessEnv = process.env): string {
  const named = env['TOUCHSTONE_CACHE'] ?? '';
  return path.join(named === '' ? path.join(homedir(), '.cache', 'touchstone') : path.resolve(named), kind);
}
