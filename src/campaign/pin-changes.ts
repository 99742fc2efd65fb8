import { canonicalJson } from '../contract/canonical.ts';
import type { Pins } from './pins.ts';

/** What differs between two sets of pins, in words: `the processor was "a" and is "b"`. */
export function pinChanges(before: Pins, now: Pins): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(now).flatMap(([field, value]) => {
    const was: unknown = old.get(field) ?? null;
    if (canonicalJson(was) === canonicalJson(value)) return [];
    return [`${WORDS.get(field) ?? field} was ${inWords(was)} and is ${inWords(value)}`];
  });
}

/** What to do about it. */
export function remedyFor(before: Pins, now: Pins): string {
  const general = 'restore what has changed, or start a new campaign';
  if (before.bench_dirty === now.bench_dirty) return general;
  return now.bench_dirty === true
    ? `${general}; "git status" lists the changes in the clone of Touchstone, and new files count too: move them out of it`
    : `${general}; the clone of Touchstone had changes or new files when the campaign began, and has none now`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['bench_version', 'the version of Touchstone'],
  ['bench_commit', 'the commit of Touchstone'],
  ['bench_dirty', 'whether the clone of Touchstone has local changes (bench_dirty)'],
  ['judge_version', 'the code that judges'],
  ['node', 'Node'],
  ['platform', 'the platform'],
  ['cpu', 'the processor'],
  ['browser', 'the browser'],
  ['surfaces', 'the version of each surface'],
  ['entrant_hashes', 'the hash of each file that describes an entrant (entrant_hashes)'],
  ['app_hashes', 'the hash of the files of each world (app_hashes)'],
  ['archive_hashes', 'the hash of each archive (archive_hashes)'],
  ['transcript_hashes', 'the hash of each transcript and cassette (transcript_hashes)'],
  ['qualifications', 'what is proved of the tasks (qualifications)'],
  ['models', 'what is fixed about each model (models)'],
]);

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'not known' : JSON.stringify(value);
}
