import { type Download, type Evidence, missing, type NetworkEntry, present } from '../../../src/contract/evidence.ts';
import type { Json } from '../../../src/contract/json.ts';
import { LocaleName } from '../../../src/contract/answer/locale.ts';
import { perceptualHash } from '../../../src/contract/picture/perceptual-hash.ts';
import type { Contract, Leaf } from '../../../src/contract/schema.ts';
import { element, evidence, frameOf, LOST_FRAME, page } from '../evidence-sample.ts';
import type { TinyNode } from '../dom/tiny-snapshot.ts';
import { layout, uniform } from '../picture/picture-sample.ts';

export interface Batch {
  contracts: readonly Contract[];
  on: Readonly<Record<string, Evidence>>;
  screenshot_classes?: Record<string, string[]>;
  malformed_answers?: readonly Json[];
}

const PAID = page({ url: 'https://shop.test/paid?order=7', body: [element('h1', 'Paid'), element('p', 'Thank you.')] });
const CART = page({
  id: 'page-2',
  url: 'https://shop.test/cart',
  body: [element('ul', element('li', 'Tea\u00A0 50\u200Bg'), element('li', 'Caf\u0065\u0301'), element('li'))],
});
const LOST = page({ id: 'page-3', url: null, dom: missing('the tab did not answer') });

const TABS = {
  'a paid page': evidence({ pages: [PAID] }),
  'a cart': evidence({ pages: [CART] }),
  'a cart beside a paid page': evidence({ pages: [CART, PAID] }),
  'a paid page beside a lost one': evidence({ pages: [PAID, LOST] }),
  'a lost page': evidence({ pages: [LOST] }),
  'an open dialog': evidence({
    pages: [page({ dialog: { type: 'confirm', message: 'Really?' }, dom: missing('a dialog is open') })],
  }),
  'no page': evidence({ pages: [] }),
  'no active page': evidence({ pages: [PAID], last_active: null }),
  frames: evidence({ pages: [page({ body: [element('h1', 'Outside')], frames: [frameOf(element('p', 'Inside'))] })] }),
  'a lost frame': evidence({ pages: [page({ body: [element('h1', 'Outside')], frames: [LOST_FRAME] })] }),
  'a page that loads': evidence({ pages: [page({ body: [element('p', 'Wait')], loading: true })] }),
  'a cart that is paid once it is loaded again': evidence({ pages: [CART], fresh: present(PAID) }),
  'a paid page that is a cart once it is loaded again': evidence({ pages: [PAID], fresh: present(CART) }),
} satisfies Record<string, Evidence>;

const URLS: Contract[] = [
  { kind: 'url', pattern: String.raw`^https://shop\.test/paid\?order=\d+$` },
  { kind: 'url', pattern: '/CART', page: 'any' },
  { kind: 'url', pattern: '/(cart|paid)', page: 'any' },
  { kind: 'url', pattern: '(?i)/PAID', page: 'last-active' },
];

/** What is judged on captured pages, those of bundles too. */
export const PROBES: readonly Leaf[] = [
  { kind: 'dom_text', contains: 'Paid' },
  { kind: 'dom_text', selector: 'h1', equals: 'Paid' },
  { kind: 'dom_text', selector: 'li:nth-child(2)', matches: 'Caf(é|e)$' },
  { kind: 'dom_text', selector: 'li', contains: '50g' },
  { kind: 'dom_text', selector: 'h1, p', matches: '^[A-Z]' },
  { kind: 'dom_text', selector: 'table, form, main', matches: String.raw`\S` },
  { kind: 'dom_text', contains: 'no page says this' },
  { kind: 'dom_count', selector: 'li', op: 'eq', value: 3 },
  { kind: 'dom_count', selector: 'p', op: 'gte', value: 1 },
  { kind: 'dom_count', selector: '*', op: 'lte', value: 9 },
  { kind: 'dom_count', selector: 'ul > li:not(:empty)', op: 'eq', value: 2 },
  { kind: 'dom_count', selector: 'li + li, h1 ~ p', op: 'gte', value: 2 },
  { kind: 'dom_count', selector: 'body :is(h1, h2):first-of-type', op: 'eq', value: 1 },
  { kind: 'dom_count', selector: ':has(> li:last-child)', op: 'eq', value: 1 },
  { kind: 'dom_count', selector: 'input:checked, option:checked', op: 'eq', value: 0 },
  { kind: 'dom_count', selector: 'button:enabled, input:required, a:any-link', op: 'eq', value: 0 },
  { kind: 'dom_count', selector: '[class], [id^="a"], [type="text" i]', op: 'eq', value: 0 },
];

const PAGES: Contract[] = [
  ...PROBES,
  { kind: 'dom_text', selector: 'h1', contains: 'Paid', page: 'any' },
  { kind: 'dom_text', selector: 'h1', contains: 'Paid', page: 'last-active' },
  { kind: 'dom_text', selector: 'h1', contains: 'Paid', fresh: true },
  { kind: 'dom_count', selector: 'li', op: 'gte', value: 2, page: 'any' },
  { kind: 'dom_count', selector: 'li', op: 'gte', value: 2, page: 'last-active' },
  { kind: 'dom_count', selector: 'li', op: 'gte', value: 2, fresh: true },
  {
    kind: 'and',
    children: [
      { kind: 'url', pattern: '/paid', page: 'any' },
      { kind: 'dom_text', selector: 'h1', equals: 'Paid', page: 'match' },
      { kind: 'dom_count', selector: 'li', op: 'eq', value: 0, page: 'match' },
    ],
  },
  { kind: 'no_dialog' },
];

function entry(seq: number, parts: Partial<NetworkEntry> = {}): NetworkEntry {
  const url = 'https://shop.test/send';
  return { seq, method: 'POST', url, status: 200, request_body: null, request_body_truncated: false, ...parts };
}

function log(...entries: NetworkEntry[]): Evidence {
  return evidence({ network: present({ entries, since: { contract_enter: 10, last_tool_call: 20 } }) });
}

const ADA = entry(11, { request_body: 'name=Ada' });
const LOGS = {
  'an empty log': log(),
  'a name that was sent': log(ADA),
  'a name that was sent twice': log(ADA, entry(21, { request_body: 'name=Ada' })),
  'a name that was sent before the start': log(entry(9, { request_body: 'name=Ada' })),
  'a body that was cut': log(entry(21, { request_body: 'name=', request_body_truncated: true })),
  'a request without a response': log(entry(21, { status: null, request_body: 'name=Ada' })),
  'a page that was asked for': log(entry(21, { method: 'GET', status: 304 })),
  'no log': evidence({ network: missing('the proxy has gone') }),
};

const SENT = { kind: 'network', url_pattern: '/send$', status_in: [200], since: 'contract_enter' } as const;
const REQUESTS: Contract[] = [
  { ...SENT, status_in: [200, 304] },
  { ...SENT, status_in: [200], since: 'last_tool_call' },
  { ...SENT, status_in: [200], method: 'POST', body_matches: 'name=Ada' },
  { ...SENT, status_in: [200], body_matches: 'Ada$', count: { op: 'eq', value: 1 } },
  { ...SENT, status_in: [200], body_matches: 'Ada', count: { op: 'lte', value: 0 } },
  { ...SENT, status_in: [200, 304], count: { op: 'gte', value: 2 } },
];

function file(parts: Partial<Download> = {}): Download {
  const name = 'report.csv';
  const known = { state: 'completed', bytes: 18, sha256: 'a'.repeat(64), text: 'name,total\nAda,36\n' } as const;
  return { name, url: 'https://shop.test/report', ...known, text_truncated: false, ...parts };
}

function downloaded(...downloads: Download[]): Evidence {
  return evidence({ downloads: present(downloads) });
}

const FILES = {
  'no download': downloaded(),
  'a download': downloaded(file()),
  'a download twice': downloaded(file(), file()),
  'a download from a blob': downloaded(file({ url: 'blob:https://shop.test/1' })),
  'a download that goes on': downloaded(file({ state: 'in_progress', bytes: null, sha256: null, text: null })),
  'a download that was cancelled': downloaded(file({ state: 'canceled', bytes: null, sha256: null, text: null })),
  'a picture': downloaded(file({ name: 'photo.png', text: null })),
  'a long download': downloaded(file({ text_truncated: true })),
  'unknown downloads': evidence({ downloads: missing('more than 20 downloads have begun') }),
  'evidence without downloads': evidence(),
};

const DOWNLOADS: Contract[] = [
  { kind: 'download' },
  { kind: 'download', name_pattern: String.raw`^report\.csv$` },
  { kind: 'download', url_pattern: '/report$' },
  { kind: 'download', bytes: { op: 'lte', value: 18 } },
  { kind: 'download', sha256: 'a'.repeat(64) },
  { kind: 'download', contains: 'total Ada' },
  { kind: 'download', equals: 'name,total Ada,36' },
  { kind: 'download', matches: '^name' },
  { kind: 'download', count: { op: 'eq', value: 1 } },
  { kind: 'download', count: { op: 'lte', value: 0 } },
];

function field(tag: string, value: string, attributes: Record<string, string> = {}): TinyNode {
  return { ...element(tag), value, attributes: { id: 'name', ...attributes } };
}

function shown(...body: TinyNode[]): Evidence {
  return evidence({ pages: [page({ body })] });
}

const OPTION = { ...element('option', 'Ada'), selected: true };
const FIELDS = {
  'a field': shown(field('input', 'Ada')),
  'a field with spaces': shown(field('input', ' Ada ')),
  'an empty field': shown(field('input', '')),
  'a text area': shown(field('textarea', 'Ada\nLovelace')),
  'a list': shown({ ...element('select', element('option', 'Grace'), OPTION), attributes: { id: 'name' } }),
  'a password': shown(field('input', '', { type: 'password' })),
  'a box': shown(field('input', 'on', { type: 'checkbox' })),
  'a field without a captured value': shown({ ...element('input'), attributes: { id: 'name' } }),
  'no field': shown(element('p', 'Ada')),
  'a field that is filled once it is loaded again': evidence({
    pages: [page({ body: [field('input', '')] })],
    fresh: present(page({ body: [field('input', 'Ada')] })),
  }),
};

const VALUES: Contract[] = [
  { kind: 'field_value', selector: '#name', equals: 'Ada' },
  { kind: 'field_value', selector: '#name', equals: '' },
  { kind: 'field_value', selector: '#name', contains: 'Ad' },
  { kind: 'field_value', selector: '#name', matches: '^A' },
  { kind: 'field_value', selector: '#name', equals: 'Ada', page: 'any' },
  { kind: 'field_value', selector: '#name', equals: 'Ada', page: 'last-active' },
  { kind: 'field_value', selector: '#name', equals: 'Ada', fresh: true },
  {
    kind: 'and',
    children: [
      { kind: 'url', pattern: '^https://shop' },
      { kind: 'field_value', selector: '#name', equals: 'Ada', page: 'match' },
    ],
  },
];

const STATES = {
  'a state': { user: { name: 'Ada' }, items: [{ name: 'tea', count: 2 }], paid: true, note: null },
  'another state': { items: [{ count: '2', name: 'tea' }, { name: 'milk' }], paid: 'yes', 'a/b': 'x~y' },
  'an empty state': {},
  'a state that is a text': 'paid',
} satisfies Record<string, Json>;

const START: Json = { user: { name: 'Ada' }, items: [{ name: 'tea', count: 2 }], paid: false, note: null };

const APP: Contract[] = [
  { kind: 'app_state', pointer: '/paid', equals: true },
  { kind: 'app_state', pointer: '/items/0', equals: { name: 'tea', count: 2 } },
  { kind: 'app_state', pointer: '/items/0/count', equals: 2 },
  { kind: 'app_state', pointer: '/note', equals: null },
  { kind: 'app_state', pointer: '/user/name', matches: '^A' },
  { kind: 'app_state', pointer: '/a~1b', matches: '~' },
  { kind: 'app_state', pointer: '', matches: 'paid' },
  { kind: 'app_state', pointer: '/user', absent: true },
  { kind: 'app_state', pointer: '/items/1', absent: true },
  { kind: 'unchanged' },
  { kind: 'unchanged', except: ['/paid'] },
  { kind: 'unchanged', except: ['/items/*/count', '/items/1', '/paid', '/user', '/note', '/a~1b'] },
];

const ANSWERS = [
  'Ada',
  'ADA',
  ' Ada\u00A0',
  'Ada.',
  '330',
  '330 m',
  '330.4',
  '1,330',
  '3.3e2',
  '−5',
  '$5',
  '2026-05-19',
  'May 19, 2026',
  '5/19/2026',
  '19.5.2026',
  '1.234,50 €',
  '$1,234.50',
  "1'234.50 CHF",
  '1 234,5',
  '14:30',
  '2026-05-19T12:30Z',
  'Yes',
  'Ada’s',
  'Ada, Grace',
  'Grace and Ada',
  '["Ada", "Grace"]',
  'name: Ada, age: 36',
  'Ada, 36',
  '| Name | Age |\n|---|---|\n| Ada | 36 |',
];

const ANSWERED: Contract[] = [
  { kind: 'answer', one_of: ['Ada', 'Grace'] },
  { kind: 'answer', one_of: ['ada'], ignore_case: true },
  { kind: 'answer', one_of: ['Ada.'], ignore_case: false },
  { kind: 'answer', number: 330 },
  { kind: 'answer', number: 330, tolerance: 0.5 },
  { kind: 'answer', number: 330, unit: 'm' },
  { kind: 'answer', number: -5 },
  { kind: 'answer', number: 5, unit: '$' },
  { kind: 'answer', number: 1330, tolerance: 0 },
  { kind: 'answer', date: '2026-05-19' },
  { kind: 'answer', not_possible: true },
  { kind: 'answer', one_of: ["Ada's"] },
  { kind: 'answer', one_of: ["Ada's"], exact: true },
  { kind: 'answer', one_of: ['Ａｄａ'], ignore_width: true },
  { kind: 'answer', money: 1234.5, currency: 'USD' },
  { kind: 'answer', money: 1330, currency: 'EUR', bare: true, tolerance: 1 },
  ...LocaleName.options.map((locale): Contract => ({
    kind: 'answer',
    number: 1234.5,
    unit: ['€', 'CHF'],
    bare: true,
    locale,
  })),
  { kind: 'answer', date: '2026-05-19', locale: 'en-US' },
  { kind: 'answer', date: '2026-05-19', locale: 'de' },
  { kind: 'answer', time: '14:30' },
  { kind: 'answer', time: '2026-05-19T14:30+02:00' },
  { kind: 'answer', boolean: true },
  { kind: 'answer', list: ['Ada', 'Grace'] },
  { kind: 'answer', list: ['Grace', 'Ada'], any_order: true },
  { kind: 'answer', set: ['Grace', 'Ada'] },
  { kind: 'answer', object: { name: 'Ada', age: 36 } },
  { kind: 'answer', columns: ['name', 'age'], rows: [['Ada', 36]] },
];

const PICTURE = layout(64, 64, [0, 0, 1, 0.2], [0.2, 0.4, 0.5, 0.9]);
const OTHER = layout(64, 64, [0, 0, 0.3, 1], [0.6, 0.1, 0.9, 0.2]);

function pictured(picture: Buffer): Evidence {
  return evidence({ screenshot: present({ media_type: 'image/png', base64: picture.toString('base64') }) });
}

const LEAVES: Leaf[] = [
  { kind: 'answer', one_of: ['Ada'] },
  { kind: 'app_state', pointer: '/paid', equals: true },
  { kind: 'no_dialog' },
];

/** Every way to join a pass, a fail and an inconclusive, two or three at a time. */
const LISTED: Contract[] = [
  { kind: 'app_state', pointer: '/[id=5]/n', equals: 1 },
  { kind: 'app_state', pointer: '/[id=5]', absent: true },
  { kind: 'unchanged', except: ['/[id=5]/n'] },
  { kind: 'unchanged', except: ['/[id=5]'] },
];

const LIST = [{ id: 5, n: 0 }, { id: 6 }];

const JOINED: Contract[] = [
  ...(['and', 'or'] as const).flatMap((kind) =>
    [LEAVES, LEAVES.slice(0, 2), LEAVES.slice(1), LEAVES.toReversed(), LEAVES.slice(0, 1)].map(
      (children): Contract => ({ kind, children: [...children] }),
    ),
  ),
  ...LEAVES.map((child): Contract => ({ kind: 'not', child })),
  { kind: 'not', child: { kind: 'or', children: [{ kind: 'and', children: LEAVES }, { kind: 'no_dialog' }] } },
];

export const BATCHES: readonly Batch[] = [
  { contracts: [...URLS, ...PAGES], on: TABS },
  { contracts: REQUESTS, on: LOGS },
  { contracts: DOWNLOADS, on: FILES },
  { contracts: VALUES, on: FIELDS },
  {
    contracts: APP,
    on: {
      ...Object.fromEntries(
        Object.entries(STATES).map(([name, now]) => [name, evidence({ app_state: present({ start: START, now }) })]),
      ),
      'the same state': evidence({ app_state: present({ start: START, now: START }) }),
      'no app': evidence(),
    },
  },
  {
    contracts: LISTED,
    on: Object.fromEntries(
      [LIST, [{ id: 5, n: 1 }, { id: 6 }], [{ id: 6 }], [...LIST, { id: 5 }]].map((now, index) => [
        `list ${index}`,
        evidence({ app_state: present({ start: LIST, now }) }),
      ]),
    ),
  },
  {
    contracts: ANSWERED,
    on: {
      ...Object.fromEntries(ANSWERS.map((value) => [`the answer ${value}`, evidence({ answer: { value } })])),
      'a number as the answer': evidence({ answer: { value: 330 } }),
      'the answer "not possible"': evidence({ answer: { not_possible: true } }),
      'no answer': evidence(),
    },
  },
  { contracts: ANSWERED, on: { 'no answer': evidence() }, malformed_answers: [{ value: ['330'] }, '330', {}] },
  {
    contracts: [
      { kind: 'screenshot_class', class_id: 'done', distance_max: 0 },
      { kind: 'screenshot_class', class_id: 'done', distance_max: 64 },
      { kind: 'screenshot_class', class_id: 'empty', distance_max: 64 },
    ],
    on: {
      'its picture': pictured(PICTURE),
      'another picture': pictured(OTHER),
      'one colour': pictured(uniform(9, 9, 9)),
      'no picture': evidence(),
    },
    screenshot_classes: { done: [perceptualHash(PICTURE)], empty: [] },
  },
  {
    contracts: JOINED,
    on: {
      'pass, pass, pass': evidence({
        answer: { value: 'Ada' },
        app_state: present({ start: {}, now: { paid: true } }),
      }),
      'pass, fail, inconclusive': evidence({
        answer: { value: 'Ada' },
        app_state: present({ start: {}, now: {} }),
        pages: [],
      }),
      'fail, inconclusive, pass': evidence(),
      'inconclusive beside fail': evidence({ pages: [] }),
    },
  },
];
