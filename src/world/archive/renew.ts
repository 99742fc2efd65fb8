import type { Archive } from './archive.ts';
import type { Har, HarEntry, NotRecorded } from './har.ts';
import { requestKey, type Series, seriesOf } from './matcher.ts';
import { type BodyStore, bodiesOf } from './write-archive.ts';

/** The result of recording an archive again. */
export interface Renewed {
  /** The index that takes its place; null where the archive that is there answers all that was asked in the same way. */
  har: Har | null;
  /** Requests that were not made this time, by method and address. */
  notAsked: string[];
  /** Requests without an answer this time, so that the earlier recording is kept. */
  stands: string[];
}

/**
 * Compares a new recording with the existing archive. Exchanges with the same answer are kept unchanged, with their
 * time and all their headers; if those are all, nothing is written.
 * @param bodies of the new recording; those of kept exchanges are added
 * @returns null if they cannot be compared: the archive was not recorded, or elsewhere, or not by us
 */
export async function renew(
  before: Archive,
  now: Har,
  bodies: BodyStore,
  ignoreQuery: ReadonlySet<string>,
): Promise<Renewed | null> {
  const entries = await before.writtenEntries();
  const { _touchstone: touchstone, ...log } = now.log;
  const [from, { provenance, not_recorded: unreached }] = [before.provenance, touchstone];
  if (entries === null || from.kind !== 'recorded' || provenance.kind !== 'recorded') return null;
  if (from.connect_to.join() !== provenance.connect_to.join()) return null;
  const unreachedKeys = new Set(unreached.map((each) => requestKey({ ...each, digest: null }, ignoreQuery)));
  const [old, fresh] = [seriesOf(entries, ignoreQuery), seriesOf(now.log.entries, ignoreQuery)];
  const { taken, isUnchanged, gone } = compared(old, fresh);
  const isUnreached = ({ entries: [first] }: Series): boolean =>
    first !== undefined && unreachedKeys.has(requestKey({ ...first.request, digest: null }, ignoreQuery));
  const stands = gone.filter(isUnreached);
  const names = { notAsked: namesOf(gone.filter((each) => !isUnreached(each))), stands: namesOf(stands) };
  if (isUnchanged) return { har: null, ...names };
  const over = [...taken.values(), ...stands].flatMap((series) => series.entries);
  for (const name of over.flatMap(bodiesOf)) await bodies.put(await before.bodyNamed(name));
  const all = [...fresh.map((series) => taken.get(series) ?? series), ...stands].flatMap((series) => series.entries);
  const renewed = {
    ...touchstone,
    provenance: over.length === 0 ? provenance : { ...provenance, started_at: from.started_at },
    not_recorded: unreached.filter((each) => !names.stands.includes(nameOf(each))),
  };
  return { har: { log: { ...log, entries: all, _touchstone: renewed } }, ...names };
}

interface Compared {
  /** The series of old that answers a new one in the same way. */
  taken: ReadonlyMap<Series, Series>;
  isUnchanged: boolean;
  /** Earlier series whose request was not answered again. */
  gone: Series[];
}

function compared(old: readonly Series[], fresh: readonly Series[]): Compared {
  const ofRoute = new Map(old.map((series) => [placeOf(series), series]));
  const ofAny = new Map(old.toReversed().map((series) => [series.key, series]));
  const taken = new Map<Series, Series>();
  let isUnchanged = true;
  for (const series of fresh) {
    const own = ofRoute.get(placeOf(series));
    const isSame = (own ?? ofAny.get(series.key))?.answers === series.answers;
    isUnchanged &&= isSame;
    if (isSame && own !== undefined) taken.set(series, own);
  }
  const keys = new Set(fresh.map(({ key }) => key));
  return { taken, isUnchanged, gone: old.filter(({ key }) => !keys.has(key)) };
}

function placeOf({ page, key }: Series): string {
  return JSON.stringify([page, key]);
}

function namesOf(series: readonly Series[]): string[] {
  return [...new Set(series.flatMap(({ entries: [first] }) => (first === undefined ? [] : nameOf(first.request))))];
}

function nameOf({ method, url }: Pick<NotRecorded, 'method' | 'url'> | HarEntry['request']): string {
  return `${method} ${url}`;
}
