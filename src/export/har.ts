import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { Row } from '../bundle/row.ts';
import type { KeptExchange, NetworkEntry } from '../contract/evidence.ts';
import { type ExportedBundle, type ExportFormat, sampleName } from './exported-bundle.ts';

/** HAR 1.2 of each episode whose end was captured. Its log has no times, and headers and bodies of responses only if its task asks for them. */
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
export async function harOf(
  row: Row,
  { layout, source }: Pick<ExportedBundle, 'layout' | 'source'>,
): Promise<object | null> {
  const { started_at: started, artifacts } = row;
  const evidence = artifacts['evidence_end'];
  if (evidence === undefined || started === null) return null;
  const { network } = await loadEvidence(openBlobs(layout.blobs), evidence);
  const missing = network.captured ? '' : ` The log is missing: ${network.why}`;
  return {
    log: {
      version: '1.2',
      creator: { name: 'touchstone', version: source.touchstone },
      comment: `Requests in their order, each dated at the start of the episode. Times were not recorded; "_missing" names what else was not.${missing}`,
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

/** A part of an exchange that a log may lack: those of {@link NetworkEntry.kept}, or what was cut. */
type MissingPart = 'request_headers' | 'request_body' | 'response_body' | 'credentials';

function missingIn({ kept, request_body_truncated: isCut, status }: NetworkEntry): MissingPart[] {
  const { response = null } = kept ?? {};
  const isBodyMissing = status !== null && (response === null || response.truncated);
  return [
    ...(kept === undefined ? (['request_headers'] as const) : []),
    ...(isCut ? (['request_body'] as const) : []),
    ...(isBodyMissing ? (['response_body'] as const) : []),
    'credentials',
  ];
}

/** A status of 0 means that there was no response, as in the HAR of browsers. */
function entryOf(entry: NetworkEntry, pageref: string, startedDateTime: string): object {
  const { seq, method, url, status, kept, request_body: body, request_body_truncated: isCut } = entry;
  const [sent, received] = [shown(kept?.request_headers), shown(kept?.response?.headers)];
  const typeOf = (headers: typeof sent): string => headers.find(({ name }) => name === 'content-type')?.value ?? '';
  const unknown = { httpVersion: 'unknown', cookies: [], headersSize: -1 };
  const postData = { mimeType: typeOf(sent), text: body ?? '', ...(isCut ? { comment: 'cut' } : {}) };
  const content = kept?.response?.body ?? null;
  return {
    pageref,
    startedDateTime,
    time: 0,
    request: {
      method,
      url,
      ...unknown,
      headers: sent,
      queryString: queryOf(url),
      bodySize: body === null && !isCut ? 0 : -1,
      ...(body === null ? {} : { postData }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      ...unknown,
      headers: received,
      content: { size: -1, mimeType: typeOf(received) || 'x-unknown', ...(content === null ? {} : { text: content }) },
      redirectURL: received.find(({ name }) => name === 'location')?.value ?? '',
      bodySize: -1,
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
    _seq: seq,
    _missing: missingIn(entry),
  };
}

/** Without the values of credentials. */
function shown(headers: KeptExchange['request_headers'] = []): { name: string; value: string }[] {
  return headers.map(({ name, value }) => ({ name, value: value ?? '[redacted]' }));
}

function queryOf(url: string): { name: string; value: string }[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
