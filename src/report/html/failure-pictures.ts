import type { BlobStore } from '../../bundle/blobs.ts';
import { BundleError } from '../../bundle/errors.ts';
import { pictureType } from '../picture-type.ts';
import type { Report } from '../report.ts';
import { failureGroups } from '../failure-groups.ts';

/** Most bytes of all pictures in one page, before they are written in Base64. */
const MAX_BYTES = 1_500_000;

/** Addresses of pictures by the names of their blobs, and the room that they take in the page. */
export interface Pictures {
  sources: ReadonlyMap<string, string>;
  bytes: number;
}

export const NO_PICTURES: Pictures = { sources: new Map(), bytes: 0 };

/** Reads the pictures of the failures that a report shows, as far as they fit into one page. What cannot be read is left out. */
export async function picturesIn(report: Report, blobs: Pick<BlobStore, 'get'>): Promise<Pictures> {
  const sources = new Map<string, string>();
  let bytes = 0;
  for (const { picture } of failureGroups(report).flatMap(({ shown }) => shown)) {
    if (picture === undefined || sources.has(picture)) continue;
    const read = await readOrNull(blobs, picture);
    const type = read === null ? null : pictureType(read);
    if (read === null || type === null || bytes + read.length > MAX_BYTES) continue;
    bytes += read.length;
    sources.set(picture, `data:${type};base64,${read.toString('base64')}`);
  }
  return { sources, bytes };
}

async function readOrNull(blobs: Pick<BlobStore, 'get'>, sha256: string): Promise<Buffer | null> {
  try {
    return await blobs.get(sha256);
  } catch (error) {
    if (error instanceof BundleError) return null;
    throw error;
  }
}
