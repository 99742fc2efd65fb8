import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBlobs, type BlobStore } from '../../src/bundle/blobs.ts';
import { loadEvidence, storeEvidence } from '../../src/bundle/evidence-file.ts';
import { present } from '../../src/contract/evidence.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const base64 = Buffer.from('a picture').toString('base64');

async function store(): Promise<BlobStore> {
  return openBlobs(join(await temporaryFolder(), 'blobs'));
}

describe('evidence in blobs', () => {
  test('is read back as it was judged, its picture from a blob of its own', async () => {
    const blobs = await store();
    const whole = evidence({ screenshot: present({ media_type: 'image/png', base64 }) });
    const names = await storeEvidence(blobs, whole);
    expect(await loadEvidence(blobs, names.evidence)).toEqual(whole);
    expect(String(await blobs.get(names.screenshot ?? ''))).toBe('a picture');
  });

  test('without a picture says why there is none', async () => {
    const blobs = await store();
    const names = await storeEvidence(blobs, evidence());
    expect(names.screenshot).toBeNull();
    expect(await loadEvidence(blobs, names.evidence)).toEqual(evidence());
  });

  test.each([
    ['not JSON', 'is not JSON'],
    ['{}', 'is not evidence: schema_version'],
    [JSON.stringify({ ...evidence(), pages: 'none' }), 'pages must be a list'],
    [JSON.stringify({ ...evidence(), answer: 'done' }), 'answer'],
  ])('that is %j is an error that names the blob and the field', async (text, problem) => {
    const blobs = await store();
    const name = await blobs.put(text);
    const loaded = loadEvidence(blobs, name);
    await expect(loaded).rejects.toMatchObject({ name: 'BundleError', code: 'malformed' });
    await expect(loaded).rejects.toThrow(`blob ${name} is not`);
    await expect(loaded).rejects.toThrow(problem);
  });

  test('whose blob, or whose picture, is not there names what is missing', async () => {
    const blobs = await store();
    const picture = 'a'.repeat(64);
    const screenshot = { captured: true, value: { media_type: 'image/png', sha256: picture } };
    const name = await blobs.put(JSON.stringify({ ...evidence(), screenshot }));
    await expect(loadEvidence(blobs, name)).rejects.toMatchObject({
      code: 'blob_missing',
      message: expect.stringContaining(picture),
    });
    await expect(loadEvidence(blobs, 'b'.repeat(64))).rejects.toMatchObject({ code: 'blob_missing' });
  });
});
