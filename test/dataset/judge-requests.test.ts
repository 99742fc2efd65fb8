import { expect, test } from 'vitest';
import { type Exchange, exchangesIn } from '../../src/dataset/webarena-verified/har.ts';
import { judgeRow } from '../../src/dataset/webarena-verified/judge-row.ts';
import { exchange, MUTATED, requestCheck, SITES, verifiedRow } from './verified-rows.ts';

const RESPONSE = '{ "task_type": "MUTATE", "status": "SUCCESS" }';

function judged(checks: object | object[], exchanges: Exchange[], sites: ReadonlyMap<string, string[]> = SITES) {
  return judgeRow(verifiedRow(MUTATED, ...[checks].flat()), { response: RESPONSE, exchanges }, sites);
}

const POST = { http_method: 'POST', response_status: 302 };
const posted = (body: Exchange['posted'], more: Partial<Exchange> = {}) =>
  exchange({ method: 'POST', status: 302, posted: body, ...more });

/** For each field: an expectation, the right request, and one that differs in this field alone. */
const FIELDS: [field: string, expected: object, right: Partial<Exchange>, wrong: Partial<Exchange>][] = [
  ['address', {}, { url: 'http://localhost:8023/Notes/' }, { url: 'http://localhost:8023/notes/1' }],
  [
    'pattern of addresses',
    { url: '^__GITLAB__/n\\d+$' },
    { url: 'http://localhost:8023/n12' },
    { url: 'http://localhost:8023/n12/x' },
  ],
  [
    'query',
    { url: '__GITLAB__/notes?a=1&b=x y' },
    { url: 'http://localhost:8023/notes?b=X%20y&a=1' },
    { url: 'http://localhost:8023/notes?a=1&b=x+y&c=1' },
  ],
  [
    'query apart',
    { query_params: { a: ['1'], s: ['^(open|)$'] } },
    { url: 'http://localhost:8023/notes?a=1' },
    { url: 'http://localhost:8023/notes?a=1&s=shut' },
  ],
  ['status', { response_status: 201 }, { status: 201 }, { status: 200 }],
  [
    'header',
    { headers: { Cookie: '^(?!.*mode=(?:foot|bike)).*$' } },
    { headers: new Map([['cookie', 'mode=car']]) },
    { headers: new Map([['cookie', 'a=1; mode=foot']]) },
  ],
  [
    'page of origin',
    { headers: { referer: '__GITLAB__/a?b=1' } },
    { headers: new Map([['referer', 'http://localhost:8023/a?b=1']]) },
    { headers: new Map([['referer', 'http://localhost:8023/a?b=2']]) },
  ],
  [
    'response',
    { response_content: { count: 3, '$.items[0].name': 'Ann' } },
    { content: { count: 3, items: [{ name: 'Ann' }] } },
    { content: { count: 3, items: [{ name: 'Bob' }] } },
  ],
  [
    'cookie',
    { response_cookies: { note: '^.*(?=.*white)(?=.*desk).* was added.*$' } },
    { cookies: new Map([['note', 'the desk in white was added']]) },
    { cookies: new Map([['note', 'the desk was added']]) },
  ],
];

test.each(FIELDS)('%s: the right request passes', (_field, expected, right) => {
  expect(judged(requestCheck(expected), [exchange(right)])).toMatchObject({ verdict: 'pass' });
});

test.each(FIELDS)('%s: a request that differs in it fails', (_field, expected, _right, wrong) => {
  expect(judged(requestCheck(expected), [exchange(wrong)])).toMatchObject({ verdict: 'fail' });
});

/** What a body must hold, the right body, and a wrong one. */
const BODIES: [key: string, expected: object, right: Exchange['posted'], wrong: Exchange['posted']][] = [
  ['field', { user: 12 }, { user: '12', more: 'x' }, { user: '13' }],
  ['absent field', { user: null }, { more: 'x' }, { user: '12' }],
  ['path', { '$.note.text': 'Hi' }, { note: { text: 'hi' } }, { note: { text: 'no' } }],
  [
    'path into JSON text',
    { "$['rows'][?(@.new == 1)].name": ['a', 'b'] },
    { rows: '[{"new":1,"name":"b"},{"new":0,"name":"c"},{"new":1,"name":"a"}]' },
    { rows: '[{"new":1,"name":"b"}]' },
  ],
  ['pattern of names', { '$.^reply_\\d+$': 'Hi' }, { reply_7: 'Hi' }, { reply_x: 'Hi' }],
  ['list of one', { ids: [4] }, { ids: [4] }, { ids: [4, 5] }],
  ['pattern that only bars', { branch: '^(?!main$).+$' }, { branch: 'topic' }, { branch: 'main' }],
  ['pattern that bars anywhere', { _method: '^.*(?!delete$).*$' }, { _method: 'put' }, { _method: 'delete' }],
];

test.each(BODIES)('%s of a body: the right one passes', (_key, post_data, right) => {
  expect(judged(requestCheck({ ...POST, post_data }), [posted(right)])).toMatchObject({ verdict: 'pass' });
});

test.each(BODIES)('%s of a body: a wrong one fails', (_key, post_data, _right, wrong) => {
  expect(judged(requestCheck({ ...POST, post_data }), [posted(wrong)])).toMatchObject({ verdict: 'fail' });
});

test('a body is compared by the schema of the row', () => {
  const schema = { type: 'object', properties: { price: { type: 'number', format: 'currency' } } };
  const check = requestCheck({ ...POST, post_data: { price: 47 } }, { post_data_schema: schema });
  expect(judged(check, [posted({ price: '47.00' })])).toMatchObject({ verdict: 'pass' });
  expect(judged(check, [posted({ price: '48.00' })])).toMatchObject({ verdict: 'fail' });
});

test('ignored parameters may be there or not; look-around in their pattern is rewritten', () => {
  const check = requestCheck({ query_params: { q: ['desk'] } }, { ignored_query_params_patterns: ['^(?!q$).+$'] });
  expect(judged(check, [exchange({ url: 'http://localhost:8023/notes?q=desk&page=2' })])).toMatchObject({
    verdict: 'pass',
  });
  expect(judged(check, [exchange({ url: 'http://localhost:8023/notes?q=chair' })])).toMatchObject({ verdict: 'fail' });
});

test('a query that a path holds in base64 is read', () => {
  const check = requestCheck({ query_params: { from: ['1/2/2023'] } }, { decode_base64_query: true });
  const at = (query: string) =>
    exchange({ url: `http://localhost:8023/notes/${Buffer.from(query).toString('base64url')}/` });
  expect(judged(check, [at('from=1/2/2023')])).toMatchObject({ verdict: 'pass' });
  expect(judged(check, [at('from=1/3/2023')])).toMatchObject({ verdict: 'fail' });
});

test('the last request counts, unless the row takes any', () => {
  const sent = [posted({ user: '12' }), posted({ user: '13' })];
  expect(judged(requestCheck({ ...POST, post_data: { user: '12' } }), sent)).toMatchObject({ verdict: 'fail' });
  const any = requestCheck({ ...POST, post_data: { user: '12' } }, { last_event_only: false });
  expect(judged(any, sent)).toMatchObject({ verdict: 'pass' });
});

test('two checks of one address take the last two requests, one each', () => {
  const checks = ['12', '13'].map((user) => requestCheck({ ...POST, post_data: { user } }));
  expect(judged(checks, [posted({ user: '12' }), posted({ user: '13' })])).toMatchObject({ verdict: 'pass' });
  expect(judged(checks, [posted({ user: '12' }), posted({ user: '14' })])).toMatchObject({ verdict: 'fail' });
});

test('a request that must not be sent fails only if it was', () => {
  const check = requestCheck(POST, { should_not_exist: true });
  expect(judged(check, [exchange()])).toMatchObject({ verdict: 'pass' });
  expect(judged(check, [posted({})])).toMatchObject({ verdict: 'fail', findings: [{ code: 'record_must_not_hold' }] });
});

test('to open a page is judged by the last page that the user opened', () => {
  const navigate = { ...MUTATED, expected: { ...MUTATED.expected, task_type: 'navigate' } };
  const row = verifiedRow(navigate, requestCheck({}));
  const page = (url: string) => exchange({ url, headers: new Map([['accept', 'text/html']]) });
  const [right, other] = [page('http://localhost:8023/notes'), page('http://localhost:8023/other')];
  const response = '{ "task_type": "NAVIGATE", "status": "SUCCESS" }';
  const verdictOf = (...exchanges: Exchange[]) => judgeRow(row, { response, exchanges }, SITES).verdict;
  expect(verdictOf(other, right, exchange({ url: 'http://localhost:8023/data' }))).toBe('pass');
  expect(verdictOf(right, other)).toBe('fail');
});

test('without requests, without the address of a site, or with a pattern that RE2 refuses, nothing passes', () => {
  expect(judged(requestCheck({}), [])).toMatchObject({ verdict: 'inconclusive' });
  expect(judged(requestCheck({}), [exchange()], new Map())).toMatchObject({
    verdict: 'inconclusive',
    findings: [{ code: 'site_without_address' }],
  });
  expect(judged(requestCheck({ url: '^.*(?<=a)b$' }), [exchange()])).toMatchObject({ verdict: 'inconclusive' });
});

test('bodies of forms, parts and JSON are read from a HAR, and static files are left out', () => {
  const entry = (url: string, mimeType: string, text: string) => ({
    request: { method: 'post', url, headers: [{ name: 'Accept', value: 'a' }], postData: { mimeType, text } },
    response: { status: 302 },
  });
  const multipart = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1 2\r\n--x--';
  const read = exchangesIn({
    log: {
      entries: [
        entry('http://a/', 'application/x-www-form-urlencoded', 'a=1+2&a=3'),
        entry('http://a/', 'multipart/form-data; boundary=x', multipart),
        entry('http://a/', 'application/json', '{"a":"1 2"}'),
        entry('http://a/app.js?v=1', 'application/json', '{}'),
      ],
    },
  });
  expect(read).toMatchObject({ ok: true, value: [1, 2, 3].map(() => ({ method: 'POST', posted: { a: '1 2' } })) });
  expect(exchangesIn({ log: {} })).toMatchObject({ ok: false, problems: [{ path: ['log', 'entries'] }] });
});

const JSON_BODY = { post_data: { note: 'Salt' } };

test.each([
  ['request_headers', JSON_BODY],
  ['request_body', JSON_BODY],
  ['request_headers', { headers: { referer: '__GITLAB__/' } }],
  ['response_body', { response_content: { saved: true } }],
  ['credentials', { headers: { Cookie: 'mode=foot' } }],
  ['credentials', { response_cookies: { mode: 'foot' } }],
])('without %s, an expectation of %j is inconclusive; one of the address alone is judged', (part, expected) => {
  const right = posted(
    { note: 'Salt' },
    { content: { saved: true }, headers: new Map([['referer', 'http://localhost:8023/']]), missing: [part] },
  );
  expect(judged(requestCheck({ ...POST, ...expected }), [right])).toMatchObject({
    verdict: 'inconclusive',
    findings: [{ code: 'record_incomplete', params: { parts: [part] } }],
  });
  expect(judged(requestCheck(POST), [right]).verdict).toBe('pass');
  expect(judged(requestCheck({ ...POST, url: '__GITLAB__/other' }), [right]).verdict).toBe('fail');
});

test('a run whose agent had another goal is inconclusive, whatever it did', () => {
  const row = verifiedRow(MUTATED);
  const verdictOf = (goal: string) => judgeRow(row, { response: RESPONSE, exchanges: null, goal }, SITES).verdict;
  expect(verdictOf(`${row.intent} `)).toBe('pass');
  expect(verdictOf(`${row.intent}: SUCCESS`)).toBe('inconclusive');
});
