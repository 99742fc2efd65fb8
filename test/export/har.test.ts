import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { present } from '../../src/contract/evidence.ts';
import { HAR } from '../../src/export/har.ts';
import { PASSED, SENT, START, TASK } from '../verify/sample-attempt.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SOURCE, toExport } from './exported.ts';

const load = createRequire(import.meta.url);
const SCHEMAS: Record<string, object> = load('har-schema');
const DRAFT: object = load('ajv/dist/refs/json-schema-draft-06.json');

function problemsOf(har: unknown): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(DRAFT).addSchema(Object.values(SCHEMAS));
  ajv.validate('har.json#', har);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const Har = z.looseObject({
  log: z.looseObject({
    comment: z.string(),
    entries: z.array(z.looseObject({ request: z.looseObject({}) })),
  }),
});

async function harsOf(bundle: string): Promise<z.infer<typeof Har>[]> {
  const folder = await temporaryFolder();
  const files = await HAR.write(await toExport(bundle), folder);
  return Promise.all(files.map(async (file) => Har.parse(JSON.parse(await readFile(path.join(folder, file), 'utf8')))));
}

const ENTRIES = [
  {
    seq: 0,
    method: 'GET',
    url: 'http://shop.localhost/?q=a%20b',
    status: 200,
    request_body: null,
    request_body_truncated: false,
  },
  {
    seq: 1,
    method: 'POST',
    url: 'http://shop.localhost/buy',
    status: null,
    request_body: 'pin=[secret:PIN]',
    request_body_truncated: true,
  },
  {
    seq: 2,
    method: 'POST',
    url: 'http://shop.localhost/pay',
    status: 200,
    request_body: 'sum=3',
    request_body_truncated: false,
    kept: {
      request_headers: [
        { name: 'content-type', value: 'text/plain' },
        { name: 'cookie', value: null },
      ],
      response: { headers: [{ name: 'content-type', value: 'text/html' }], body: 'Paid', truncated: false },
    },
  },
];

async function sent(): Promise<z.infer<typeof Har> | undefined> {
  const network = present({ entries: ENTRIES, since: { contract_enter: 0, last_tool_call: 0 } });
  const { layout } = await stagedBundle({
    task: TASK,
    start: START,
    end: { ...SENT, network },
    row: PASSED,
  });
  return (await harsOf(layout.root))[0];
}

test('each HAR of a bundle is valid by har-schema, and names the seal', async () => {
  const hars = await harsOf(await committedBundle('webvoyager'));
  expect(hars).toHaveLength(12);
  expect(hars.flatMap(problemsOf)).toEqual([]);
  expect(hars[0]?.log).toMatchObject({ _touchstone: SOURCE });
});

test('har-schema refuses an entry without an address', async () => {
  const har = await sent();
  expect(problemsOf(har)).toEqual([]);
  expect(problemsOf({ log: { ...har?.log, entries: [{ ...har?.log.entries[0], request: {} }] } })).toContain(
    "/log/entries/0/request must have required property 'url'",
  );
});

test('a request has what the log has, and what it lacks is -1', async () => {
  expect((await sent())?.log.entries).toMatchObject([
    {
      time: 0,
      request: {
        method: 'GET',
        queryString: [{ name: 'q', value: 'a b' }],
        headers: [],
        headersSize: -1,
        bodySize: 0,
      },
      response: { status: 200, headersSize: -1, bodySize: -1, content: { size: -1 } },
      timings: { send: -1, wait: -1, receive: -1 },
    },
    {
      request: { bodySize: -1, postData: { text: 'pin=[secret:PIN]', comment: 'cut' } },
      response: { status: 0 },
      _missing: ['request_headers', 'request_body', 'credentials'],
    },
    {
      request: {
        headers: [{ value: 'text/plain' }, { name: 'cookie', value: '[redacted]' }],
        postData: { mimeType: 'text/plain', text: 'sum=3' },
      },
      response: { headers: [{ value: 'text/html' }], content: { mimeType: 'text/html', text: 'Paid' } },
      _missing: ['credentials'],
    },
  ]);
});

test('an episode that never ran has no HAR', async () => {
  const bundle = await committedBundle('stress');
  const { rows } = await toExport(bundle);
  expect(rows.filter(({ started_at: at, status }) => at === null || status === 'not_applicable')).toHaveLength(2);
  expect(await harsOf(bundle)).toHaveLength(rows.length - 2);
});
