import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { Sha256 } from './sha256.ts';
import { shortened } from '../messages/printable.ts';

export interface AttemptLayout {
  readonly folder: string;
  readonly row: string;
  readonly events: string;
  readonly transcript: string;
  readonly seal: string;
}

/** Every path inside one bundle. Nothing else joins paths into a bundle. */
export interface BundleLayout {
  readonly root: string;
  /** The folder as the user named it, or the file that the bundle was packed in. */
  readonly name: string;
  readonly campaign: string;
  readonly ledger: string;
  readonly blobs: string;
  readonly episodes: string;
  readonly rows: string;
  readonly seal: string;
  readonly signature: string;
  report(format: 'json' | 'md' | 'html'): string;
  attempt(episodeId: string, attempt: number): AttemptLayout;
}

const EPISODE_ID = /^[0-9a-f]{16,64}$/;
const MAX_ATTEMPT = 999;

const FILE = new RegExp(
  [
    String.raw`^(?:campaign|seal|signature)\.json$`,
    String.raw`^(?:ledger|rows)\.jsonl$`,
    String.raw`^report\.(?:json|md|html)$`,
    String.raw`^blobs/[0-9a-f]{64}(?:\.br)?$`,
    String.raw`^episodes/[0-9a-f]{16,64}/[1-9][0-9]{0,2}/(?:(?:row|seal)\.json|(?:events|transcript)\.jsonl)$`,
  ].join('|'),
);

/** Whether a path from the root, with `/` in it, is a file of a bundle. No such path leads out of it. */
export function isFileOfBundle(name: string): boolean {
  return FILE.test(name);
}

export function bundleLayout(root: string, name = root): BundleLayout {
  return {
    root,
    name,
    campaign: join(root, 'campaign.json'),
    ledger: join(root, 'ledger.jsonl'),
    blobs: join(root, 'blobs'),
    episodes: join(root, 'episodes'),
    rows: join(root, 'rows.jsonl'),
    seal: join(root, 'seal.json'),
    signature: join(root, 'signature.json'),
    report: (format) => join(root, `report.${format}`),
    attempt: (episodeId, attempt) =>
      attemptLayout(join(root, 'episodes', safeEpisodeId(episodeId), safeAttempt(attempt))),
  };
}

export function attemptLayout(folder: string): AttemptLayout {
  return {
    folder,
    row: join(folder, 'row.json'),
    events: join(folder, 'events.jsonl'),
    transcript: join(folder, 'transcript.jsonl'),
    seal: join(folder, 'seal.json'),
  };
}

/** Throws before anything but a SHA-256 becomes a path. */
export function safeSha256(sha256: string): string {
  if (Sha256.safeParse(sha256).success) return sha256;
  throw new BundleError(fact('bad_sha256', { name: quote(sha256) }));
}

/**
 * Entries that are neither a plain file nor a plain folder (links, pipes, devices), relative to the root: a link could lead out
 * of it.
 */
export async function strangeEntries(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isFile() && !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

function safeEpisodeId(id: string): string {
  if (EPISODE_ID.test(id)) return id;
  throw new BundleError(fact('bad_episode_id', { name: quote(id) }));
}

function safeAttempt(attempt: number): string {
  if (Number.isInteger(attempt) && attempt >= 1 && attempt <= MAX_ATTEMPT) return String(attempt);
  throw new BundleError(fact('bad_attempt', { attempt, most: MAX_ATTEMPT }));
}

function quote(name: string): string {
  return JSON.stringify(shortened(name, 80));
}
