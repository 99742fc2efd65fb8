import { createHash } from 'node:crypto';
import { type HarEntry, recordedExchange, type RecordedExchange } from './har.ts';
import { taskOfRoute } from './route-name.ts';

/**
 * Headers that make up a page, or limit what it may do. Every other may differ each time that nothing has changed:
 * the date, the age of a copy, what a server calls a request.
 */
const COUNTING =
  /^(access-control-.*|clear-site-data|content-(disposition|language|security-policy|type)|cross-origin-.*|link|location|permissions-policy|referrer-policy|refresh|www-authenticate|x-content-type-options|x-frame-options)$/i;

/** A response as two are compared: its status, its body, and the headers that count. Of a cookie the name counts; its value is drawn. */
export function answerKey({ status, headers, body }: Pick<RecordedExchange, 'status' | 'headers' | 'body'>): string {
  const counting = headers.flatMap(({ name, value }) => {
    const lower = name.toLowerCase();
    if (lower === 'set-cookie') return [`set-cookie ${value.split('=')[0] ?? ''}`];
    return COUNTING.test(name) ? [`${lower} ${value}`] : [];
  });
  return JSON.stringify([status, body, counting.toSorted()]);
}

/** Identifies a request: two with the same key ask for the same thing. */
interface RequestKey {
  method: string;
  url: string;
  /** SHA-256 of the body, see {@link bodyDigest}; null without one. */
  digest: string | null;
}

/** The key as text. The order of a query's parameters, ignored ones, and the fragment do not count. */
export function requestKey({ method, url, digest }: RequestKey, ignoreQuery: ReadonlySet<string>): string {
  const { origin, pathname, searchParams } = new URL(url);
  const counting = new URLSearchParams([...searchParams].filter(([name]) => !ignoreQuery.has(name)));
  counting.sort();
  return `${method} ${origin}${pathname}?${counting.toString()} ${digest ?? ''}`;
}

/** The digest that a body is compared by. Browsers choose the boundary between the parts of a form at random, so it does not count. */
export function bodyDigest(body: Uint8Array, contentType: string | null): string | null {
  if (body.byteLength === 0) return null;
  const boundary = /^multipart\/.*;\s*boundary="?([^";]+)"?/i.exec(contentType ?? '')?.[1];
  const compared =
    boundary === undefined
      ? body
      : Buffer.from(Buffer.from(body).toString('latin1').replaceAll(boundary, ''), 'latin1');
  return createHash('sha256').update(compared).digest('hex');
}

/** The exchanges that one owner has of one request, in the order in which they were recorded. */
export interface Series {
  page: string;
  key: string;
  /** Whether the request changes nothing: only such requests differ by their answers alone. */
  isRead: boolean;
  entries: HarEntry[];
  /** The answers in order, as text to compare. The last is repeated forever, so repetitions at the end do not count. */
  answers: string;
}

/** All series of an index, in the order in which each begins. */
export function seriesOf(entries: readonly HarEntry[], ignoreQuery: ReadonlySet<string>): Series[] {
  const found = new Map<string, { series: Omit<Series, 'answers'>; answers: string[] }>();
  for (const entry of entries) {
    const exchange = recordedExchange(entry);
    const { page, method } = exchange;
    const key = requestKey(exchange, ignoreQuery);
    const id = JSON.stringify([page, key]);
    const isRead = method === 'GET' || method === 'HEAD';
    const known = found.get(id) ?? { series: { page, key, isRead, entries: [] }, answers: [] };
    found.set(id, known);
    known.series.entries.push(entry);
    known.answers.push(answerKey(exchange));
  }
  return [...found.values()].map(({ series, answers }) => {
    const length = answers.findLastIndex((answer) => answer !== answers.at(-1)) + 2;
    return { ...series, entries: series.entries.slice(0, length), answers: answers.slice(0, length).join('\n') };
  });
}

/** Methods that change nothing on a site, so which route is being taken does not show by them. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The exchanges of an archive by request. */
export class ArchiveIndex {
  readonly #ignoreQuery: ReadonlySet<string>;
  readonly #byKey = new Map<string, RecordedExchange[]>();

  /** @param ignoreQuery names of query parameters that do not count */
  constructor(exchanges: readonly RecordedExchange[], ignoreQuery: readonly string[]) {
    this.#ignoreQuery = new Set(ignoreQuery);
    for (const exchange of exchanges) {
      const key = exchange.anyQuery ? anyQuery(exchange) : this.#requestKey(exchange);
      const sameKey = this.#byKey.get(key);
      if (sameKey === undefined) this.#byKey.set(key, [exchange]);
      else sameKey.push(exchange);
    }
  }

  /** The exchanges that answer a request, in the order in which they were recorded, and the key that they share. */
  find(request: RequestKey): { key: string; exchanges: readonly RecordedExchange[] } {
    const key = this.#requestKey(request);
    const exact = this.#byKey.get(key);
    if (exact !== undefined) return { key, exchanges: exact };
    const loose = anyQuery(request);
    return { key: loose, exchanges: this.#byKey.get(loose) ?? [] };
  }

  #requestKey(request: RequestKey): string {
    return requestKey(request, this.#ignoreQuery);
  }
}

/** The key of what holds for every query. No address has its mark. */
function anyQuery({ method, url, digest }: RequestKey): string {
  const { origin, pathname } = new URL(url);
  return `any query: ${requestKey({ method, url: origin + pathname, digest }, new Set())}`;
}

/**
 * The archive as one episode meets it: repeated requests are answered in recorded order, and the last
 * answer is repeated. Exchanges of the episode's own task come before those of another, and its
 * first solution before its other routes, unless the episode has sent a body that only others of them sent.
 */
export class Replay {
  readonly #index: ArchiveIndex;
  readonly #task: string;
  readonly #asked = new Map<string, number>();
  /** The routes that have sent all that was sent so far; null while nothing was. */
  #sent: ReadonlySet<string> | null = null;

  /** @param task its name, as `taskName` gives it */
  constructor(index: ArchiveIndex, task: string) {
    this.#index = index;
    this.#task = task;
  }

  /** The exchange that answers this request, or null. The answer to GET may answer HEAD. */
  next(request: RequestKey): RecordedExchange | null {
    const { key, exchanges: recorded } = this.#index.find(request);
    const [first] = recorded;
    if (first === undefined) return request.method === 'HEAD' ? this.next({ ...request, method: 'GET' }) : null;
    const page = this.#ownRoute(recorded) ?? first.page;
    const series = recorded.filter((each) => each.page === page);
    const place = JSON.stringify([page, key]);
    const asked = this.#asked.get(place) ?? 0;
    this.#asked.set(place, asked + 1);
    return series[Math.min(asked, series.length - 1)] ?? first;
  }

  /** The route of the episode's own task whose answers it gets; undefined where none has met this request. */
  #ownRoute(recorded: readonly RecordedExchange[]): string | undefined {
    const own = new Set(recorded.map(({ page }) => page).filter((page) => this.#isOwn(page)));
    if (own.size === 0) return undefined;
    const sent = this.#sent;
    const possible = sent === null ? own : new Set([...own].filter((page) => sent.has(page)));
    const routes = possible.size === 0 ? own : possible;
    if (!recorded.every(({ method }) => READS.has(method))) this.#sent = routes;
    return routes.has(this.#task) ? this.#task : [...routes][0];
  }

  #isOwn(page: string): boolean {
    const owner = taskOfRoute(page);
    // An archive may hold a recording for all instances of a task together.
    return owner === this.#task || owner === this.#task.replace(/@.*$/, '');
  }
}
