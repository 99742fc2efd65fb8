import { mapStrings } from '../../contract/strings.ts';
import { Json } from '../../contract/json.ts';
import { findsIn, isPattern, matchesWhole } from './expected-pattern.ts';
import type { NetworkCheck } from './rows.ts';

/** The addresses of each site in the run, by its placeholder, such as `__GITLAB__`. */
export type Sites = ReadonlyMap<string, readonly string[]>;

/** Replaces the addresses of sites in every text of a value by their placeholders. */
export function withPlaceholders(value: Json, sites: Sites): Json {
  return Json.parse(mapStrings(value, (text) => placed(text, sites)));
}

/** The same in a text: the longest address first, and only where an address ends. */
export function placed(text: string, sites: Sites): string {
  const pairs = [...sites].flatMap(([placeholder, urls]) =>
    urls.map((url) => ({ placeholder, url: url.replace(/\/+$/, '') })),
  );
  return pairs
    .toSorted((a, b) => b.url.length - a.url.length)
    .reduce((changed, { placeholder, url }) => {
      const parts = changed.split(url);
      return parts.reduce((joined, part) => `${joined}${/^[\w:-]/.test(part) ? url : placeholder}${part}`);
    }, text);
}

/** The placeholders of sites that a text names. `__SSH_HOST__` is any host. */
export function sitesNamedIn(text: string): string[] {
  return (text.match(/__[A-Z]+(?:_[A-Z]+)*__/g) ?? []).filter((each) => each !== '__SSH_HOST__');
}

export type Query = ReadonlyMap<string, readonly string[]>;

/** An address in two parts, since the rules of a check concern its query alone. */
export interface Address {
  base: string;
  query: Query;
}

export type QueryRules = Pick<
  NetworkCheck,
  'decode_base64_query' | 'ignored_query_params' | 'ignored_query_params_patterns'
>;

const NO_RULES: QueryRules = {
  decode_base64_query: false,
  ignored_query_params: [],
  ignored_query_params_patterns: [],
};

/** Reads an address; null if it is not one. */
export function readAddress(text: string, rules: QueryRules = NO_RULES): Address | null {
  const plain = text.trim();
  const ssh = /^(?:ssh:\/\/)?(?<user>[\w.-]+)@[^:/]+(?::\d+(?=\/)|:)?\/?(?<path>\S+)$/i.exec(plain)?.groups;
  if (ssh !== undefined) return { base: `${ssh['user']}@:${ssh['path']}`.toLowerCase(), query: new Map() };
  const [, placeholder, rest = ''] = /^(__[A-Z_]+__)(.*)$/s.exec(plain) ?? [];
  const whole = placeholder === undefined ? plain : `http://site.invalid${/^[/?#]|^$/.test(rest) ? '' : '/'}${rest}`;
  if (!/^https?:/i.test(whole) || !URL.canParse(whole)) return null;
  const url = new URL(whole);
  const { path, query } = rules.decode_base64_query
    ? withoutEncodedQuery(url.pathname)
    : { path: url.pathname, query: '' };
  const origin = placeholder ?? `${url.protocol}//${url.host}`;
  const given = new URLSearchParams(`${query}&${url.search.slice(1)}`);
  const sorted = new Map<string, string[]>();
  for (const [name, value] of given)
    sorted.set(name, [...(sorted.get(name) ?? []), value.toLowerCase().trim()].toSorted());
  return { base: `${origin}${plainPath(path)}${url.hash}`.replace(/\/+$/, ''), query: withoutIgnored(sorted, rules) };
}

/** Leaves only those characters encoded that mean something else when they are not. */
function plainPath(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    return /^[\w.~-]$/.test(character) ? character : code.toUpperCase();
  });
}

/** Takes out segments that are a query in base64url, as Magento writes filters into paths. */
function withoutEncodedQuery(path: string): { path: string; query: string } {
  const queries: string[] = [];
  const segments = path.split('/').filter((segment) => {
    if (!/^[\w-]{4,}(?:=|%3D){0,2}$/i.test(segment)) return true;
    const text = Buffer.from(decodeURIComponent(segment), 'base64url').toString('utf8');
    if (!text.includes('=') || text.includes('\uFFFD')) return true;
    queries.push(decodeURIComponent(text.trim().replace(/^[?&]+/, '')));
    return false;
  });
  return { path: segments.join('/'), query: queries.join('&') };
}

/** @throws Error if RE2 refuses a pattern of the check */
export function withoutIgnored<T>(query: ReadonlyMap<string, T>, rules: QueryRules): Map<string, T> {
  const isIgnored = (name: string): boolean =>
    rules.ignored_query_params.includes(name) ||
    rules.ignored_query_params_patterns.some((pattern) => findsIn(pattern, name));
  return new Map([...query].filter(([name]) => !isIgnored(name)));
}

/**
 * Whether an address has one of the expected bases. Its query does not matter.
 * @param raw the same address before placeholders: a pattern may name a host
 */
export function hasBase(expected: readonly string[], given: Address, raw: string): boolean {
  return expected.some((each) => {
    if (!isPattern(each)) return readAddress(each)?.base.toLowerCase() === given.base.toLowerCase();
    return [given.base, readAddress(raw)?.base ?? raw].some((base) => matchesWhole(each, base, ''));
  });
}
