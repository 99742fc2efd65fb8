import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBlobs, type BlobStore } from '../../src/bundle/blobs.ts';
import { loadEvidence, storeEvidence } from '../../src/bundle/evidence-file.ts';
import { type Evidence, present } from '../../src/contract/evidence.ts';
import { evidence, page } from '../contract/evidence-sample.ts';
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

  test('gives the reason for a missing picture', async () => {
    const blobs = await store();
    const names = await storeEvidence(blobs, evidence());
    expect(names.screenshot).toBeNull();
    expect(await loadEvidence(blobs, names.evidence)).toEqual(evidence());
  });

  test.each([
    ['not JSON', 'not_json', 'is not JSON'],
    ['{}', 'other_shape', 'schema_version'],
    [JSON.stringify({ ...evidence(), pages: 'none' }), 'other_shape', 'pages must be a list'],
    [JSON.stringify({ ...evidence(), answer: 'done' }), 'other_shape', 'answer'],
  ])('with %j is an error that names the blob and the field', async (text, code, problem) => {
    const blobs = await store();
    const name = await blobs.put(text);
    const loaded = loadEvidence(blobs, name);
    await expect(loaded).rejects.toMatchObject({ code, params: { file: `blob ${name}` } });
    await expect(loaded).rejects.toThrow(problem);
  });

  test('with a missing blob or picture names it', async () => {
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

  test('may hold a thousand pages and a hundred thousand exchanges', async () => {
    const blobs = await store();
    const most = evidence({ pages: Array.from({ length: 1_000 }, () => page()), network: exchanges(100_000) });
    const names = await storeEvidence(blobs, most);
    expect((await loadEvidence(blobs, names.evidence)).pages).toHaveLength(1_000);
  });

  test.each([
    ['pages', 'have at most 1000 entries, not 1001', { pages: Array.from({ length: 1_001 }, () => page()) }],
    ['network.value.entries', 'have at most 100000 entries, not 100001', { network: exchanges(100_001) }],
  ])('with more %s is neither kept nor read', async (field, problem, parts) => {
    const blobs = await store();
    const tooMuch = evidence(parts);
    await expect(storeEvidence(blobs, tooMuch)).rejects.toThrow(`${field} must ${problem}`);
    const name = await blobs.put(JSON.stringify(tooMuch));
    await expect(loadEvidence(blobs, name)).rejects.toThrow(`is not evidence: ${field} must ${problem}`);
  });

  test('with a million wrong values names their list, at once', async () => {
    const blobs = await store();
    const { pages, ...rest } = evidence();
    const wrong = JSON.stringify({ ...rest, pages }).replace('"parentIndex":[', `"parentIndex":[${'"",'.repeat(1e6)}`);
    const name = await blobs.put(wrong);
    const before = process.memoryUsage().heapUsed;
    await expect(loadEvidence(blobs, name)).rejects.toThrow('nodes.parentIndex must be a list');
    // An issue for each would be half a gigabyte.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200e6);
  });
});

function exchanges(count: number): Evidence['network'] {
  const one = { method: 'GET', url: '', status: 200, request_body: null, request_body_truncated: false };
  const entries = Array.from({ length: count }, (_, seq) => ({ seq, ...one }));
  return present({ entries, since: { contract_enter: 0, last_tool_call: 0 } });
}
