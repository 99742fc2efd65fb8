import { canonicalJson } from '../contract/canonical.ts';
import { isRecord } from '../contract/validation/record.ts';
import type { Pins } from './pins.ts';

/** Differences in words: `the processor was "a" and is "b"`; for a record each value that differs. */
export function pinChanges(before: Partial<Pins>, now: Partial<Pins>): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(now).flatMap(([field, value]) => {
    const was: unknown = old.get(field) ?? null;
    if (canonicalJson(was) === canonicalJson(value)) return [];
    if (field === 'app_files')
      return [...changedAppFiles(before, now)].map(([id, files]) => `files of ${id}: ${files.join(', ')}`);
    if (field === 'qualifications') return [`what is proved of ${differing(was, value).join(', ')}`];
    return [...leafChanges(was, value, [])].map(([place, one, other]) => {
      const named = WORDS.get([field, ...place].join('.'));
      const at = named !== undefined || place.length === 0 ? '' : ` at ${place.join('.')}`;
      return `${named ?? WORDS.get(field) ?? field}${at} was ${inWords(one)} and is ${inWords(other)}`;
    });
  });
}

/** By suite, the files of its app that changed, came or went; none for bundles that do not name their files. */
export function changedAppFiles(before: Pick<Partial<Pins>, 'app_files'>, now: typeof before): Map<string, string[]> {
  const old = new Map(Object.entries(before.app_files ?? {}));
  return new Map(
    Object.entries(now.app_files ?? {}).flatMap(([suite, files]) => {
      const was = old.get(suite) ?? files;
      const names = differing(was, files).map((name) => {
        if (!Object.hasOwn(was, name)) return `${name} (new)`;
        return Object.hasOwn(files, name) ? name : `${name} (gone)`;
      });
      return names.length === 0 ? [] : [[suite, names]];
    }),
  );
}

function* leafChanges(was: unknown, now: unknown, place: string[]): Generator<[string[], unknown, unknown]> {
  if (!isRecord(was) || !isRecord(now)) {
    yield [place, was, now];
    return;
  }
  for (const name of differing(was, now)) yield* leafChanges(was[name] ?? null, now[name] ?? null, [...place, name]);
}

/**
 * Changes that an outcome rests on: the code that judges, and the worlds, surfaces and replayed files that take part now.
 * Machine, browser and commit are not among them: the same outcome on others is stronger evidence.
 */
export function groundChanges(before: Pins, now: Pins): string[] {
  return pinChanges(groundOf(before, now), groundOf(now, now));
}

export function otherChanges(before: Pins, now: Pins): string[] {
  return pinChanges(elsewhereOf(before), elsewhereOf(now));
}

function groundOf(
  pins: Pins,
  { surfaces, app_hashes: apps, archive_hashes: archives, transcript_hashes: replayed }: Pins,
): Partial<Pins> {
  return {
    judge_version: pins.judge_version,
    surfaces: only(pins.surfaces, surfaces),
    app_hashes: only(pins.app_hashes, apps),
    archive_hashes: only(pins.archive_hashes, archives),
    transcript_hashes: only(pins.transcript_hashes, replayed),
  };
}

function only<T>(all: Record<string, T>, named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(named, name)));
}

function elsewhereOf({ bench_version, bench_commit, bench_dirty, node, platform, cpu, browser }: Pins): Partial<Pins> {
  return { bench_version, bench_commit, bench_dirty, node, platform, cpu, browser };
}

function differing(...records: readonly unknown[]): string[] {
  const maps = records.map((each) => new Map<string, unknown>(Object.entries(each ?? {})));
  const names = new Set(maps.flatMap((each) => [...each.keys()]));
  return [...names].filter((name) => new Set(maps.map((each) => canonicalJson(each.get(name) ?? null))).size > 1);
}

/** The most likely action of the user, for the remedy. */
export function causeOfChange(before: Pins, now: Pins): 'endpoint' | 'dirty' | 'clean' | 'other' {
  if (hasOtherEndpoint(before, now)) return 'endpoint';
  if (before.bench_dirty === now.bench_dirty) return 'other';
  return now.bench_dirty === true ? 'dirty' : 'clean';
}

function hasOtherEndpoint({ models }: Pins, now: Pins): boolean {
  return Object.entries(now.models).some(
    ([agent, { model_endpoint: endpoint }]) => (models[agent]?.model_endpoint ?? endpoint) !== endpoint,
  );
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['bench_version', 'the version of Touchstone'],
  ['bench_commit', 'the commit of Touchstone'],
  ['bench_dirty', 'whether the clone of Touchstone has local changes (bench_dirty)'],
  ['judge_version', 'the code that judges'],
  ['semantics', 'the version of each kind of assertion (semantics)'],
  ['node', 'Node'],
  ['platform', 'the platform'],
  ['cpu', 'the processor'],
  ['browser', 'the browser'],
  ['browser.ours', 'whether Touchstone launched the browser'],
  ['browser.sandbox', 'whether the browser ran in its sandbox'],
  ['browser.isolation', 'what kept files and ports from the browser'],
  ['browser.version', 'the version of the browser'],
  ['surfaces', 'what each surface is (surfaces)'],
  ['deciders', 'who decides (deciders)'],
  ['entrant_hashes', 'the hash of each file that describes an entrant (entrant_hashes)'],
  ['call_timeout_ms', 'the longest time of a tool call (call_timeout_ms)'],
  ['app_hashes', 'the hash of the files of each world (app_hashes)'],
  ['world_kinds', 'what the world of each task is (world_kinds)'],
  ['archive_hashes', 'the hash of each archive (archive_hashes)'],
  ['transcript_hashes', 'the hash of each transcript and cassette (transcript_hashes)'],
  ['models', 'what is fixed about each model (models)'],
]);

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'not known' : JSON.stringify(value);
}
