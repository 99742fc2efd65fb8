import type { HarEntry } from './har.ts';
import { BESIDE, taskOfRoute } from './route-name.ts';
import { type Series, seriesOf } from './series.ts';

/**
 * Leaves out what is never served, as the same comes from elsewhere in the archive: repetitions at the end of a series, and
 * what another route, another task or the crawl was answered alike. What changes something on the site all stays: it tells
 * the routes apart.
 */
export function withoutRepeats(entries: readonly HarEntry[], ignoreQuery: ReadonlySet<string>): HarEntry[] {
  const byKey = new Map<string, Series[]>();
  for (const series of seriesOf(entries, ignoreQuery))
    byKey.set(series.key, [...(byKey.get(series.key) ?? []), series]);
  const kept = new Set([...byKey.values()].flatMap(needed).flatMap((series) => series.entries));
  return entries.filter((entry) => kept.has(entry));
}

/** @param alike the series of one request, in the order in which they begin */
function needed(alike: readonly Series[]): readonly Series[] {
  const [first] = alike;
  if (first === undefined || !first.isRead) return alike;
  const answered = (each: Series): boolean => each.answers === first.answers;
  const ownedAlike = (task: string): boolean => alike.filter((each) => taskOfRoute(each.page) === task).every(answered);
  return alike.filter((each) => each === first || (each.page !== BESIDE && !ownedAlike(taskOfRoute(each.page))));
}
