import type { Json, JsonObject } from '../src/contract/json.ts';
import type { Exchange } from '../src/dataset/webarena-verified/har.ts';
import type { RunRecord } from '../src/dataset/webarena-verified/judge-row.ts';
import type { NetworkCheck, VerifiedRow } from '../src/dataset/webarena-verified/rows.ts';

/** Addresses of the sites in the records made here. */
export const SITES = new Map(
  ['GITLAB', 'MAP', 'REDDIT', 'SHOPPING', 'SHOPPING_ADMIN', 'WIKIPEDIA'].map((name) => [
    `__${name}__`,
    [`http://${name.toLowerCase().replace('_', '-')}.example`],
  ]),
);

/** The record of a run that did what a row expects. */
export function rightRecord(row: VerifiedRow): RunRecord {
  const [first] = row.eval;
  const expected = first?.evaluator === 'AgentResponseEvaluator' ? first.expected : null;
  const exchanges = row.eval.flatMap((check) =>
    check.evaluator === 'NetworkEventEvaluator' && !check.should_not_exist ? [exchangeOf(check)] : [],
  );
  return {
    response: JSON.stringify({ ...expected, retrieved_data: sampleOf(expected?.retrieved_data ?? null) }),
    exchanges: [IDLE, ...exchanges],
  };
}

/** A request that no check is about, so that the record is never empty. */
const IDLE: Exchange = {
  method: 'HEAD',
  url: 'http://elsewhere.example/',
  status: 200,
  headers: new Map(),
  posted: null,
  content: null,
  cookies: new Map(),
};

function sampleOf(value: Json): Json {
  if (typeof value === 'string') return isPatternText(value) ? textFor(value) : value;
  if (Array.isArray(value)) return value.map((each) => sampleOf(Array.isArray(each) ? (each[0] ?? null) : each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sampleOf(each)]));
}

function exchangeOf({ expected, decode_base64_query: isEncoded }: NetworkCheck): Exchange {
  const [url = ''] = [expected.url].flat();
  const address = withAddresses(isPatternText(url) ? textFor(url.replace(/^\^\.\*/, '^http://map.example')) : url);
  const query = Object.entries(expected.query_params ?? {}).flatMap(([name, values]) =>
    values.map(
      (value) => `${encodeURIComponent(name)}=${encodeURIComponent(isPatternText(value) ? textFor(value) : value)}`,
    ),
  );
  const base = expected.query_params === undefined ? address : address.split('?', 1).join('');
  const place =
    isEncoded && query.length > 0
      ? `${base.replace(/\/$/, '')}/${Buffer.from(query.join('&')).toString('base64url')}/`
      : [base, query.join('&')].filter(Boolean).join('?');
  const headers = Object.entries(expected.headers ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    single(value),
  ]);
  return {
    method: expected.http_method,
    url: place,
    status: expected.response_status,
    headers: new Map([['accept', 'text/html'], ...headers]),
    posted: bodyOf(expected.post_data),
    content: bodyOf(expected.response_content),
    cookies: new Map(Object.entries(expected.response_cookies ?? {}).map(([name, value]) => [name, single(value)])),
  };
}

function single(value: Json): string {
  const one = Array.isArray(value) ? value[0] : value;
  const text = textOf(one ?? null);
  return withAddresses(isPatternText(text) ? textFor(text) : text);
}

function withAddresses(text: string): string {
  return [...SITES].reduce((changed, [placeholder, [url = '']]) => changed.replaceAll(placeholder, url), text);
}

/** Writes a body in which each key of an expectation, a path or the pattern of a name too, finds its value. */
function bodyOf(expected: JsonObject | undefined, change: Record<string, Json> = {}): JsonObject | null {
  if (expected === undefined) return null;
  const body: JsonObject = {};
  for (const [key, value] of Object.entries({ ...expected, ...change })) {
    if (value !== null) put(body, key, key in change ? value : posted(value));
  }
  return body;
}

function posted(value: Json): Json {
  if (Array.isArray(value) && value.length > 1 && value.every((each) => textOf(each).startsWith('http')))
    return value[0] ?? null;
  return typeof value === 'string' ? single(value) : value;
}

function put(body: JsonObject, key: string, value: Json): void {
  if (key.startsWith('$.^')) {
    body[textFor(key.slice(2))] = value;
    return;
  }
  const filter = /^\$\['([^']+)'\]\[\?\(@\.(\w+) == (\d+)\)\]\.(\w+)$/.exec(key);
  if (filter !== null) {
    const [, list = '', field = '', number, leaf = ''] = filter;
    body[list] = JSON.stringify([value].flat().map((each) => ({ [field]: Number(number), [leaf]: each })));
    return;
  }
  if (!key.startsWith('$')) {
    body[key] = value;
    return;
  }
  const names = key
    .slice(2)
    .split(/\.|\[(\d+)\]/)
    .filter((part) => part !== undefined && part !== '');
  let at: JsonObject | Json[] = body;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const next: Json = isLast ? value : (memberOf(at, name) ?? (/^\d+$/.test(names[index + 1] ?? '') ? [] : {}));
    if (Array.isArray(at)) at[Number(name)] = next;
    else at[name] = next;
    if (typeof next === 'object' && next !== null) at = next;
  }
}

function memberOf(holder: JsonObject | Json[], name: string): Json | undefined {
  return Array.isArray(holder) ? holder[Number(name)] : holder[name];
}

export interface AlteredRecord {
  field: string;
  record: RunRecord;
}

/** Records that each differ from the right one in one field. A field that takes every value is left out. */
export function alteredRecords(row: VerifiedRow): AlteredRecord[] {
  const right = rightRecord(row);
  const response = { ...JSON.parse(right.response ?? '{}') };
  const answers = ['task_type', 'status'].map((field) => ({
    field,
    record: { ...right, response: JSON.stringify({ ...response, [field]: 'other' }) },
  }));
  const others = right.exchanges ?? [];
  let at = 0;
  const requests = row.eval.flatMap((check) => {
    if (check.evaluator !== 'NetworkEventEvaluator') return [];
    if (check.should_not_exist)
      return [
        { field: 'request that must not be sent', record: { ...right, exchanges: [...others, exchangeOf(check)] } },
      ];
    at += 1;
    const place = at;
    const replaced = (exchange: Exchange): RunRecord => ({
      ...right,
      exchanges: others.map((each, index) => (index === place ? exchange : each)),
    });
    return alteredExchanges(check).map(({ field, exchange }) => ({ field, record: replaced(exchange) }));
  });
  return [...answers, ...requests];
}

function alteredExchanges(check: NetworkCheck): { field: string; exchange: Exchange }[] {
  const { expected } = check;
  const right = exchangeOf(check);
  const takesAllQueries = check.ignored_query_params_patterns.some((pattern) => new RegExp(pattern).test('unexpected'));
  const alter = (field: string, change: Partial<Exchange>) => ({ field, exchange: { ...right, ...change } });
  return [
    alter('url', { url: 'http://elsewhere.example/none' }),
    alter('http_method', { method: right.method === 'GET' ? 'POST' : 'DELETE' }),
    alter('response_status', { status: right.status + 1 }),
    ...(takesAllQueries
      ? []
      : [alter('query', { url: `${right.url}${right.url.includes('?') ? '&' : '?'}unexpected=1` })]),
    ...Object.entries(expected.query_params ?? {}).flatMap(([name, [value = '']]) => {
      const other = otherThan(value);
      const params = { ...expected.query_params, [name]: [textOf(other)] };
      const changed: NetworkCheck = { ...check, expected: { ...expected, query_params: params } };
      return other === null ? [] : [alter(`query_params.${name}`, { url: exchangeOf(changed).url })];
    }),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, value]) => {
      const other = ['referer'].includes(name.toLowerCase()) ? 'http://elsewhere.example/none' : otherThan(value);
      return other === null
        ? []
        : [alter(`headers.${name}`, { headers: new Map([...right.headers, [name.toLowerCase(), textOf(other)]]) })];
    }),
    ...Object.entries(expected.post_data ?? {}).flatMap(([key, value]) => {
      const other = otherThan(value);
      return other === null
        ? []
        : [alter(`post_data.${key}`, { posted: bodyOf(expected.post_data, { [key]: other }) })];
    }),
    ...Object.entries(expected.response_content ?? {}).flatMap(([key, value]) => {
      const other = otherThan(value);
      return other === null
        ? []
        : [alter(`response_content.${key}`, { content: bodyOf(expected.response_content, { [key]: other }) })];
    }),
    ...Object.entries(expected.response_cookies ?? {}).flatMap(([name, value]) => {
      const other = otherThan(value);
      return other === null
        ? []
        : [alter(`response_cookies.${name}`, { cookies: new Map([...right.cookies, [name, textOf(other)]]) })];
    }),
  ];
}

/** A value that an expectation must refuse, decided by the engine of JavaScript; null if it takes every candidate. */
function otherThan(expected: Json): Json {
  if (typeof expected === 'number') return expected + 1;
  if (typeof expected === 'boolean') return !expected;
  if (expected === null) return 'something';
  if (Array.isArray(expected)) return ['something else'];
  if (!isPatternText(textOf(expected))) return 'something else';
  // A pattern that begins with `.*(?!…)` takes every text in that engine, which its author did not mean.
  const pattern = textOf(expected).replace(/^\^\.\*\(\?!/, '^(?!');
  const candidates = ['something else', 'main', 'delete', '_osm_directions_engine=fossgis_osrm_foot'];
  return candidates.find((text) => !new RegExp(pattern, 'is').test(text)) ?? null;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isPatternText(text: string): boolean {
  return text.length >= 2 && text.startsWith('^') && text.endsWith('$');
}

/** A text that a pattern matches, for the syntax that the data set uses. */
function textFor(pattern: string): string {
  const source = pattern.slice(1, -1);
  let at = 0;
  const sequence = (): string => {
    const choices: string[] = [''];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1;
        choices.push('');
        continue;
      }
      choices[choices.length - 1] += repeated(unit());
    }
    return choices.find((text) => text !== '') ?? '';
  };
  const unit = (): string => {
    const [character = '', next = ''] = source.slice(at);
    at += 1;
    if (character === '\\') {
      at += 1;
      return next === 'd' ? '7' : next === 's' ? ' ' : next;
    }
    if (character === '.') return 'x';
    if (character === '[') {
      const end = source.indexOf(']', at);
      const [first = '', second = ''] = source.slice(at, end);
      at = end + 1;
      return first === '^' ? '-' : first === '\\' && second === 's' ? ' ' : first;
    }
    if (character !== '(') return character;
    const isBar = source.startsWith('?!', at);
    at += source.startsWith('?', at) ? 2 : 0;
    const inner = sequence();
    at += 1;
    return isBar ? '' : inner.replace(/^x(?=.)/, '');
  };
  const repeated = (text: string): string => {
    const sign = source[at] ?? '';
    if (!'*+?'.includes(sign) || sign === '') return text;
    at += 1;
    return sign === '?' ? '' : sign === '*' && text !== 'x' ? '' : text;
  };
  return sequence();
}
