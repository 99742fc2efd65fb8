import type { RecordedExchange, HarEntry } from './har.ts';
import { answerKey, requestKey, type Series, seriesOf } from './matcher.ts';
import { OFF_ROUTE, taskOfRoute } from './route-name.ts';

/** List the differences between two archives: the requests, by method and address. */
export interface ArchiveChanges {
  added: string[];
  removed: string[];
  /** Asked for in both, and answered otherwise. */
  changed: string[];
}

export function archiveChanges(
  before: readonly RecordedExchange[],
  now: readonly RecordedExchange[],
  ignoreQuery: ReadonlySet<string>,
): ArchiveChanges {
  const [old, fresh] = [answersOf(before, ignoreQuery), answersOf(now, ignoreQuery)];
  const names = (keys: string[]): string[] => [
    ...new Set(keys.map((key) => (fresh.get(key) ?? old.get(key))?.name ?? '')),
  ];
  const shared = [...fresh.keys()].filter((key) => old.has(key));
  return {
    added: names([...fresh.keys()].filter((key) => !old.has(key))),
    removed: names([...old.keys()].filter((key) => !fresh.has(key))),
    changed: names(shared.filter((key) => old.get(key)?.answers.join() !== fresh.get(key)?.answers.join())),
  };
}

/** Exchanges and bytes of bodies by host, hosts in alphabetical order. */
export function sizesByHost(
  recorded: readonly RecordedExchange[],
): { host: string; exchanges: number; bytes: number }[] {
  const sizes = new Map<string, { exchanges: number; bytes: number }>();
  for (const { url, size } of recorded) {
    const { host } = new URL(url);
    const { exchanges, bytes } = sizes.get(host) ?? { exchanges: 0, bytes: 0 };
    sizes.set(host, { exchanges: exchanges + 1, bytes: bytes + size });
  }
  return [...sizes].map(([host, size]) => ({ host, ...size })).toSorted((a, b) => (a.host < b.host ? -1 : 1));
}

function answersOf(
  exchanges: readonly RecordedExchange[],
  ignoreQuery: ReadonlySet<string>,
): Map<string, { name: string; answers: string[] }> {
  const answers = new Map<string, { name: string; answers: string[] }>();
  for (const exchange of exchanges) {
    const { method, url } = exchange;
    const key = requestKey(exchange, ignoreQuery);
    const known = answers.get(key) ?? { name: `${method} ${url}`, answers: [] };
    known.answers.push(answerKey(exchange));
    answers.set(key, known);
  }
  return answers;
}

/**
 * Leaves out exchanges that are never served, since the same comes from elsewhere in the archive: repetitions at the end of a series, and
 * answers that another route, another task or the crawl got too. Everything that changes the site stays, since it
 * distinguishes the routes.
 */
export function withoutRepeats(entries: readonly HarEntry[], ignoreQuery: ReadonlySet<string>): HarEntry[] {
  const byKey = new Map<string, Series[]>();
  for (const series of seriesOf(entries, ignoreQuery))
    byKey.set(series.key, [...(byKey.get(series.key) ?? []), series]);
  const kept = new Set([...byKey.values()].flatMap(needed).flatMap((series) => series.entries));
  return entries.filter((entry) => kept.has(entry));
}

/** @param all the series of one request, in the order in which they begin */
function needed(all: readonly Series[]): readonly Series[] {
  const [first] = all;
  if (first === undefined || !first.isRead) return all;
  const answered = (each: Series): boolean => each.answers === first.answers;
  const answeredIn = (task: string): boolean => all.filter((each) => taskOfRoute(each.page) === task).every(answered);
  return all.filter((each) => each === first || (each.page !== OFF_ROUTE && !answeredIn(taskOfRoute(each.page))));
}
