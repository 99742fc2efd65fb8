import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../bundle/errors.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';

/**
 * Makes the folder of a new bundle, or takes an empty one. Makes one folder after the other: Node's recursive mkdir never returns
 * if a file system reports "no such file" for a folder that it refuses to make, as /proc does.
 * @throws CampaignError when it cannot be written or is not empty
 */
export async function makeNewFolder(folder: string): Promise<void> {
  try {
    const [nearest, ...wanted] = await pathFromNearest(path.resolve(folder));
    await access(nearest, constants.W_OK);
    for (const each of wanted) await mkdir(each);
    await refuseContent(folder);
  } catch (error) {
    const why = whyNotWritten(error);
    if (why === null) throw error;
    throw new CampaignError(fact('folder_not_writable', { folder, why }));
  }
}

/**
 * Refuses early, before anything is loaded, a folder that {@link makeNewFolder} would refuse.
 * @throws CampaignError when the folder is not empty
 */
export async function refuseUsedFolder(folder: string): Promise<void> {
  if (existsSync(folder) && (await stat(folder)).isDirectory()) await refuseContent(folder);
}

/** Describes an error of the file system; null for other errors. */
export function whyNotWritten(error: unknown): string | null {
  return WORDS.get(systemCode(error) ?? '') ?? null;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'read-only file system'],
  ['ENOTDIR', 'a part of the path is a file'],
  ['EEXIST', 'a file or a broken link is in its place'],
  ['ENOENT', 'no folder can be made there'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOSPC', 'no space is left'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EINVAL', 'its name is not allowed there'],
]);

/** The nearest folder that exists, then the missing ones, outermost first. */
async function pathFromNearest(folder: string): Promise<[nearest: string, ...missing: string[]]> {
  if (await isThere(folder)) return [folder];
  return [...(await pathFromNearest(path.dirname(folder))), folder];
}

async function isThere(place: string): Promise<boolean> {
  try {
    // The slash makes a file "not a directory".
    await stat(`${place}${path.sep}`);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function refuseContent(folder: string): Promise<void> {
  const names = await readdir(folder);
  const { campaign, seal } = bundleLayout(folder);
  if (names.includes(path.basename(campaign))) {
    const finished = names.includes(path.basename(seal));
    throw new CampaignError(fact('folder_has_bundle', { folder, finished }));
  }
  if (names.length > 0) throw new CampaignError(fact('folder_not_empty', { folder }));
}
