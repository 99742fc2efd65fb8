import { isCredentialHeader } from '../../contract/evidence.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { readAddress, hasBase, placed, type Query, type Sites, withoutIgnored, withPlaceholders } from './address.ts';
import { findsIn, isPattern, matchesWhole } from './expected-pattern.ts';
import { type Exchange, isNavigation } from './har.ts';
import { differs } from './judge-response.ts';
import { valueAt } from './json-path.ts';
import type { NetworkCheck, ValueSchema } from './rows.ts';
import { isValue } from './values.ts';

/** Headers that hold an address. */
const ADDRESSES = new Set(['referer', 'redirect_url']);

/** Rules of a check that follow from its task. */
export interface TaskRules {
  /** Whether the task is to open a page: then the pages that were opened last count. */
  isNavigating: boolean;
  /** The number of its checks about the same address. Each may take one of the last requests. */
  siblings: number;
}

/** Lists what is wrong with the requests of a run. @throws Error if the check cannot be read */
export function judgeRequests(
  check: NetworkCheck,
  exchanges: readonly Exchange[],
  sites: Sites,
  { isNavigating, siblings }: TaskRules,
): Fact[] {
  const { expected } = check;
  const isPage = isNavigating && expected.http_method === 'GET';
  const needed = partsNeeded(check, isPage);
  const matching = isPage
    ? exchanges.filter(isNavigation).slice(-siblings)
    : exchanges.filter((exchange) => isMeant(check, exchange, sites));
  const named = { method: expected.http_method, url: [expected.url].flat() };
  const seen = isPage ? exchanges.filter(({ method }) => method === 'GET') : matching;
  const lacking = needed.filter((part) => seen.some(({ missing = [] }) => missing.includes(part)));
  if (lacking.length > 0) throw new IncompleteRecord(lacking);
  if (check.should_not_exist) {
    return matching.length === 0 ? [] : [fact('record_must_not_hold', { ...named, count: matching.length })];
  }
  const counted = check.last_event_only ? matching.slice(-siblings) : matching;
  const found = counted.map((exchange) => differencesOf(check, exchange, sites));
  const [closest] = found.toSorted((a, b) => a.length - b.length);
  return closest ?? [fact('record_lacks', named)];
}

/** The record lacks parts that a check needs, so it can neither pass nor fail. */
export class IncompleteRecord extends Error {
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    super(`the record lacks ${parts.join(', ')}`);
    this.parts = parts;
  }
}

/** The parts of exchanges that a check reads, as `_missing` of a HAR names them. */
function partsNeeded({ expected }: NetworkCheck, isPage: boolean): string[] {
  const headers = Object.keys(expected.headers ?? {});
  const hasCredentials = expected.response_cookies !== undefined || headers.some(isCredentialHeader);
  return [
    // The type of a body is in a header.
    ...(isPage || headers.length > 0 || expected.post_data !== undefined ? ['request_headers'] : []),
    ...(expected.post_data === undefined ? [] : ['request_body']),
    ...(expected.response_content === undefined ? [] : ['response_body']),
    ...(hasCredentials ? ['credentials'] : []),
  ];
}

/** Whether an exchange is one that the check is about: by method, address and page of origin. */
function isMeant({ expected, ...rules }: NetworkCheck, exchange: Exchange, sites: Sites): boolean {
  if (exchange.method !== expected.http_method.toUpperCase()) return false;
  if (!isAt([expected.url].flat(), exchange.url, sites, rules)) return false;
  const [wanted, given] = [fieldOf(expected.headers, 'referer'), exchange.headers.get('referer')];
  return wanted === undefined || given === undefined || isAt(textsIn(wanted), given, sites, rules);
}

function isAt(
  expected: readonly string[],
  raw: string,
  sites: Sites,
  rules: Parameters<typeof readAddress>[1],
): boolean {
  const address = readAddress(placed(raw, sites), rules);
  return address !== null && hasBase(expected, address, raw);
}

function textsIn(value: Json): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

function fieldOf(fields: JsonObject | undefined, name: string): Json | undefined {
  return Object.entries(fields ?? {}).find(([each]) => each.toLowerCase() === name)?.[1];
}

function differencesOf(check: NetworkCheck, exchange: Exchange, sites: Sites): Fact[] {
  const { expected } = check;
  const findings: Fact[] = [];
  const expect = (field: string, isSame: boolean, wanted: Json, given: Json | undefined): void => {
    if (!isSame) findings.push(differs(field, wanted, given));
  };
  const url = [expected.url].flat();
  expect('url', isAddress(check, url, exchange.url, sites), { url, ...expected.query_params }, exchange.url);
  expect('http_method', expected.http_method.toUpperCase() === exchange.method, expected.http_method, exchange.method);
  expect('response_status', expected.response_status === exchange.status, expected.response_status, exchange.status);
  for (const [name, wanted] of Object.entries(expected.headers ?? {})) {
    const given = exchange.headers.get(name.toLowerCase());
    const isSame = given !== undefined && isHeader(check, name.toLowerCase(), wanted, given, sites);
    expect(`headers.${name}`, isSame, wanted, given);
  }
  for (const [name, wanted] of Object.entries(expected.response_cookies ?? {})) {
    const given = exchange.cookies.get(name);
    expect(`response_cookies.${name}`, isValue({ type: 'string' }, wanted, given), wanted, given);
  }
  for (const [key, wanted] of Object.entries(expected.post_data ?? {})) {
    const given = postedAt(check, exchange, key, sites);
    expect(`post_data.${key}`, isValue(schemaOf(check, key, wanted), wanted, given), wanted, given);
  }
  for (const [key, wanted] of Object.entries(expected.response_content ?? {})) {
    const given = exchange.content === null ? undefined : valueAt(exchange.content, key);
    expect(`response_content.${key}`, JSON.stringify(given) === JSON.stringify(wanted), wanted, given);
  }
  return findings;
}

function isHeader(check: NetworkCheck, name: string, wanted: Json, given: string, sites: Sites): boolean {
  if (!ADDRESSES.has(name)) return isValue({ type: 'string' }, wanted, withPlaceholders(given, sites));
  return isAddress(
    { ...check, expected: { ...check.expected, query_params: undefined } },
    textsIn(wanted),
    given,
    sites,
  );
}

function postedAt(check: NetworkCheck, { posted }: Exchange, key: string, sites: Sites): Json | undefined {
  const fields = Object.entries(posted ?? {}).filter(
    ([name]) => !check.ignored_post_data_params_patterns.some((pattern) => findsIn(pattern, name)),
  );
  const found = valueAt(Object.fromEntries(fields), key);
  return found === undefined ? undefined : withPlaceholders(found, sites);
}

/** Without a schema, a list is one of alternatives, unless it has one entry or its key is a filter. */
function schemaOf({ post_data_schema: schema }: NetworkCheck, key: string, wanted: Json): ValueSchema {
  const isList = Array.isArray(wanted) && (wanted.length === 1 || key.includes('[?('));
  return schema?.properties?.[key] ?? (isList ? { type: 'array' } : {});
}

/** Whether an address has an expected base and the query that belongs to it. */
function isAddress(check: NetworkCheck, expected: readonly string[], raw: string, sites: Sites): boolean {
  const given = readAddress(placed(raw, sites), check);
  if (given === null) return false;
  const { query_params: params } = check.expected;
  return expected.some((each) => {
    if (!hasBase([each], given, raw)) return false;
    const own = isPattern(each) ? undefined : readAddress(each, check)?.query;
    const wanted =
      params === undefined ? (own ?? new Map<string, readonly string[]>()) : new Map(Object.entries(params));
    return isQuery(check, withoutIgnored(wanted, check), given.query);
  });
}

/** A parameter that is missing is an empty one. */
function isQuery({ query_params_schema: schema }: NetworkCheck, wanted: Query, given: Query): boolean {
  const names = new Set([...wanted.keys(), ...given.keys()]);
  return [...names].every((name) => {
    const [one, other] = [filled(wanted.get(name)), filled(given.get(name))];
    const items = schema?.properties?.[name]?.items;
    if (items?.format !== undefined)
      return one.length === other.length && one.every((each, at) => isValue(items, each, other[at]));
    if (one.length === 1 && one.every(isPattern))
      return other.every((each) => one.every((pattern) => matchesWhole(pattern, each)));
    return one.map(lowered).toSorted().join('\n') === other.map(lowered).toSorted().join('\n');
  });
}

function filled(values: readonly string[] = []): readonly string[] {
  return values.length === 0 ? [''] : values;
}

function lowered(text: string): string {
  return text.toLowerCase().trim();
}
