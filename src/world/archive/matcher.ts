import type { RecordedExchange } from './har.ts';
import { taskOfRoute } from './route-name.ts';
import { requestKey, type RequestKey } from './request-key.ts';

/** Methods that change nothing on a site, so which route is being taken does not show by them. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The exchanges of an archive by what was asked for. */
export class ArchiveIndex {
  readonly #ignoreQuery: ReadonlySet<string>;
  readonly #byKey = new Map<string, RecordedExchange[]>();

  /** @param ignoreQuery names of query parameters that do not count */
  constructor(exchanges: readonly RecordedExchange[], ignoreQuery: readonly string[]) {
    this.#ignoreQuery = new Set(ignoreQuery);
    for (const exchange of exchanges) {
      const key = exchange.anyQuery ? anyQuery(exchange) : this.#requestKey(exchange);
      const alike = this.#byKey.get(key);
      if (alike === undefined) this.#byKey.set(key, [exchange]);
      else alike.push(exchange);
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
 * The archive as one episode meets it: repeated requests are answered in the order in which they were recorded, the last
 * answer again for ever. What was recorded for the episode's own task comes before what was recorded for another, and its
 * first solution before its other routes, unless the episode has sent what only others of them sent.
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

  /** The exchange that answers this request, or null. HEAD may be answered by what was recorded for GET. */
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
    // An archive may hold what was recorded for all instances of a task together.
    return owner === this.#task || owner === this.#task.replace(/@.*$/, '');
  }
}
