import { z } from 'zod';
import { captured, Evidence } from '../contract/evidence.ts';
import { type BlobStore, hashForBlob } from './blobs.ts';
import { checkJson, jsonIn, refuseFirst } from './json-file.ts';
import { Sha256 } from './sha256.ts';

/** A blob of JSON, with the picture as a blob of its own. */
const StoredEvidence = z.strictObject({
  ...Evidence.shape,
  screenshot: captured(z.strictObject({ media_type: z.literal('image/png'), sha256: Sha256 })),
});

/**
 * Limits on evidence, checked before it is read: no browser answers with a thousand tabs, and only a flooded episode has a
 * hundred thousand exchanges.
 */
const Bounded = z.looseObject({
  pages: z.array(z.unknown()).max(1_000).optional(),
  network: z
    .looseObject({ value: z.looseObject({ entries: z.array(z.unknown()).max(100_000).optional() }).optional() })
    .optional(),
});

export interface StoredEvidenceNames {
  evidence: string;
  screenshot: string | null;
}

/** @throws BundleError when it is more than {@link loadEvidence} reads. */
export async function storeEvidence(blobs: BlobStore, evidence: Evidence): Promise<StoredEvidenceNames> {
  const { parts, ...names } = partsOfEvidence(evidence);
  await Promise.all(parts.map((part) => blobs.put(part)));
  return names;
}

/** The blobs of evidence, and their names. @throws BundleError likewise. */
export function partsOfEvidence(evidence: Evidence): StoredEvidenceNames & { parts: Uint8Array[] } {
  checkJson(evidence, Bounded, 'evidence that can be kept', 'what was captured');
  const { screenshot } = evidence;
  if (!screenshot.captured) {
    const json = Buffer.from(JSON.stringify(evidence));
    return { evidence: hashForBlob(json), screenshot: null, parts: [json] };
  }
  const { media_type: mediaType, base64 } = screenshot.value;
  const picture = Buffer.from(base64, 'base64');
  const sha256 = hashForBlob(picture);
  const stored: z.infer<typeof StoredEvidence> = {
    ...evidence,
    screenshot: { captured: true, value: { media_type: mediaType, sha256 } },
  };
  const json = Buffer.from(JSON.stringify(stored));
  return { evidence: hashForBlob(json), screenshot: sha256, parts: [picture, json] };
}

/** @throws BundleError naming the blob that is missing or of another shape. */
export async function loadEvidence(blobs: BlobStore, name: string): Promise<Evidence> {
  const where = `blob ${name}`;
  const read = jsonIn(await blobs.get(name), where);
  checkJson(read, Bounded, 'evidence', where);
  refuseFirst(read, StoredEvidence, 'evidence', where);
  const stored = checkJson(read, StoredEvidence, 'evidence', where);
  const { screenshot, ...rest } = stored;
  if (!screenshot.captured) return { ...rest, screenshot };
  const bytes = await blobs.get(screenshot.value.sha256);
  const value = { media_type: screenshot.value.media_type, base64: bytes.toString('base64') };
  return { ...rest, screenshot: { captured: true, value } };
}
