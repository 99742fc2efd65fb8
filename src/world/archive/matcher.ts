import type { RecordedExchange } from './har.ts';
import { keyOf, type RequestKey } from './request-key.ts';

/** The exchanges of an archive by what was asked for. */
export class ArchiveIndex {
  readonly #ignoreQuery: ReadonlySet<string>;
  readonly #byKey = new Map<string, RecordedExchange[]>();

  /** @param ignoreQuery names of query parameters that do not count */
  constructor(exchanges: readonly RecordedExchange[], ignoreQuery: readonly string[]) {
    this.#ignoreQuery = new Set(ignoreQuery);
    for (const exchange of exchanges) {
      const key = exchange.anyQuery ? anyQuery(exchange) : this.#keyOf(exchange);
      const alike = this.#byKey.get(key);
      if (alike === undefined) this.#byKey.set(key, [exchange]);
      else alike.push(exchange);
    }
  }

  /** The exchanges that answer a request, in the order in which they were recorded, and the key that they share. */
  find(request: RequestKey): { key: string; exchanges: readonly RecordedExchange[] } {
    const key = this.#keyOf(request);
    const exact = this.#byKey.get(key);
    if (exact !== undefined) return { key, exchanges: exact };
    const loose = anyQuery(request);
    return { key: loose, exchanges: this.#byKey.get(loose) ?? [] };
  }

  #keyOf(request: RequestKey): string {
    return keyOf(request, this.#ignoreQuery);
  }
}

/** The key of what holds for every query. No address has its mark. */
function anyQuery({ method, url, digest }: RequestKey): string {
  const { origin, pathname } = new URL(url);
  return `any query: ${keyOf({ method, url: origin + pathname, digest }, new Set())}`;
}

/**
 * The archive as one episode meets it: repeated requests are answered in the order in which they were recorded, the last
 * answer again for ever. What was recorded for the episode's own task comes before what was recorded for another.
 */
export class Replay {
  readonly #index: ArchiveIndex;
  readonly #task: string;
  readonly #asked = new Map<string, number>();

  constructor(index: ArchiveIndex, task: string) {
    this.#index = index;
    this.#task = task;
  }

  /** The exchange that answers this request, or null. HEAD may be answered by what was recorded for GET. */
  next(request: RequestKey): RecordedExchange | null {
    const { key, exchanges: recorded } = this.#index.find(request);
    const [first] = recorded;
    if (first === undefined) return request.method === 'HEAD' ? this.next({ ...request, method: 'GET' }) : null;
    const own = recorded.filter(({ page }) => page === this.#task);
    const series = own.length > 0 ? own : recorded.filter(({ page }) => page === first.page);
    const asked = this.#asked.get(key) ?? 0;
    this.#asked.set(key, asked + 1);
    return series[Math.min(asked, series.length - 1)] ?? first;
  }
}
