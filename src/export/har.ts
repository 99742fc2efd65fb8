import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { Row } from '../bundle/row.ts';
import type { NetworkEntry } from '../contract/evidence.ts';
import { type ExportedBundle, type ExportFormat, sampleName } from './exported-bundle.ts';

/** HAR 1.2 of each episode whose end was captured. Its log has neither headers, times nor bodies of responses: they are -1. */
export const HAR: ExportFormat = {
  async write(bundle, folder) {
    const files: string[] = [];
    for (const row of bundle.rows) {
      const har = await harOf(row, bundle);
      if (har === null) continue;
      // The schema of rows allows no other characters in an id than hexadecimal digits.
      const name = `${row.episode_id}.har`;
      await writeFile(path.join(folder, name), `${JSON.stringify(har, null, 1)}\n`, { flag: 'wx' });
      files.push(name);
    }
    return files;
  },
};

/** Null without evidence of the end. */
async function harOf(row: Row, { layout, source }: ExportedBundle): Promise<object | null> {
  const { started_at: started, artifacts } = row;
  const evidence = artifacts['evidence_end'];
  if (evidence === undefined || started === null) return null;
  const { network } = await loadEvidence(openBlobs(layout.blobs), evidence);
  const missing = network.captured ? '' : ` The log is missing: ${network.why}`;
  return {
    log: {
      version: '1.2',
      creator: { name: 'touchstone', version: source.touchstone },
      comment: `Requests in their order, each dated at the start of the episode. Headers, times and bodies of responses were not recorded.${missing}`,
      pages: [{ startedDateTime: started, id: row.episode_id, title: sampleName(row), pageTimings: {} }],
      entries: network.captured ? network.value.entries.map((entry) => entryOf(entry, row.episode_id, started)) : [],
      _touchstone: {
        ...source,
        run_id: row.run_id,
        status: row.status,
        record_hash: row.record_hash,
      },
    },
  };
}

/** A status of 0 means that there was no response, as in the HAR of browsers. */
function entryOf(
  { seq, method, url, status, ...request }: NetworkEntry,
  pageref: string,
  startedDateTime: string,
): object {
  const { request_body: body, request_body_truncated: isCut } = request;
  const unknown = { httpVersion: 'unknown', cookies: [], headers: [], headersSize: -1 };
  const postData = { mimeType: '', text: body ?? '', ...(isCut ? { comment: 'cut' } : {}) };
  return {
    pageref,
    startedDateTime,
    time: 0,
    request: {
      method,
      url,
      ...unknown,
      queryString: queryOf(url),
      bodySize: body === null && !isCut ? 0 : -1,
      ...(body === null ? {} : { postData }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      ...unknown,
      content: { size: -1, mimeType: 'x-unknown' },
      redirectURL: '',
      bodySize: -1,
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
    _seq: seq,
  };
}

function queryOf(url: string): { name: string; value: string }[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
