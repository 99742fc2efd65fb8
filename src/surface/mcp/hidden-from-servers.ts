import type { Hidden } from '../../process/sandbox/hidden.ts';
import type { Foreseen } from '../../process/sandbox/launch.ts';
import { markedFolders } from '../../process/sandbox/marked-folders.ts';
import { packageFolderOf } from '../../process/package-folder.ts';
import { CONTRACT_MARKS } from '../../task/suite-file.ts';

/**
 * Lists what a server must not see of the places that it may read: suites, bundles, histories, and our own folder, which holds more
 * of the kind.
 * @throws Error when there is too much to look through.
 */
export function hiddenFromServers(places: readonly string[]): Hidden {
  const contracts = markedFolders(places, CONTRACT_MARKS);
  if (contracts === null) {
    throw new Error(`it may read ${places.join(', ')}, too many folders to find suites in; put it into one of its own`);
  }
  const ours = packageFolderOf(import.meta.dirname);
  return { contracts, around: ours === null ? [] : [ours] };
}

/** The same before a server is started; null where there is too much to look through, and so it will not start. */
export function foreseenOf(places: readonly string[], readable: readonly string[]): Foreseen | null {
  try {
    return { places, contracts: hiddenFromServers(readable).contracts };
  } catch {
    return null;
  }
}
