import { z } from 'zod';
import { captured, Evidence } from '../contract/evidence.ts';
import type { BlobStore } from './blobs.ts';
import { parseJson } from './json-file.ts';
import { Sha256 } from './sha256.ts';

/** Evidence as it is stored: a blob of JSON, with the picture as a blob of its own. */
const StoredEvidence = z.strictObject({
  ...Evidence.shape,
  screenshot: captured(z.strictObject({ media_type: z.literal('image/png'), sha256: Sha256 })),
});

/** Names of the blobs in which evidence lies. */
export interface StoredEvidenceNames {
  evidence: string;
  screenshot: string | null;
}

export async function storeEvidence(blobs: BlobStore, evidence: Evidence): Promise<StoredEvidenceNames> {
  const { screenshot } = evidence;
  if (!screenshot.captured) {
    return { evidence: await blobs.put(JSON.stringify({ ...evidence, screenshot })), screenshot: null };
  }
  const { media_type: mediaType, base64 } = screenshot.value;
  const picture = await blobs.put(Buffer.from(base64, 'base64'));
  const stored: z.infer<typeof StoredEvidence> = {
    ...evidence,
    screenshot: { captured: true, value: { media_type: mediaType, sha256: picture } },
  };
  return { evidence: await blobs.put(JSON.stringify(stored)), screenshot: picture };
}

/**
 * Reads evidence back as it was when it was judged.
 * @throws BundleError naming the blob that is missing or is not what it should be.
 */
export async function loadEvidence(blobs: BlobStore, name: string): Promise<Evidence> {
  const stored = parseJson(await blobs.get(name), StoredEvidence, 'evidence', `blob ${name}`);
  const { screenshot, ...rest } = stored;
  if (!screenshot.captured) return { ...rest, screenshot };
  const bytes = await blobs.get(screenshot.value.sha256);
  const value = { media_type: screenshot.value.media_type, base64: bytes.toString('base64') };
  return { ...rest, screenshot: { captured: true, value } };
}
