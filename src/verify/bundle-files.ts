import { fact } from '../messages/messages.ts';
import { readdir } from 'node:fs/promises';
import { BundleError, systemCode } from '../bundle/errors.ts';
import { checkBlobFile, nameOfBlob } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import type { Fact } from '../messages/message.ts';
import { factIn, fileProblem, type BundleProblem } from './finding.ts';

/** The top-level names of a bundle. */
const KNOWN = new Set([
  'blobs',
  'campaign.json',
  'episodes',
  'ledger.jsonl',
  'report.html',
  'report.json',
  'report.md',
  'rows.jsonl',
  'seal.json',
  'signature.json',
]);

/** Finds top-level files that no bundle has, and episodes and attempts that the ledger never started. */
export async function* unlistedFindings(
  layout: BundleLayout,
  records: AsyncIterable<LedgerRecord>,
): AsyncGenerator<BundleProblem> {
  for (const name of await namesIn(layout.root)) {
    if (!KNOWN.has(name)) yield fileProblem(name, fact('not_of_bundle'));
  }
  const started = new Set<string>();
  for await (const record of records) {
    if (record.kind !== 'started') continue;
    // Second attempts are rare; the ids of first ones are held anyway.
    started.add(record.episode_id);
    if (record.attempt > 1) started.add(attemptName(record));
  }
  for (const episode of await namesIn(layout.episodes)) {
    if (!started.has(episode)) yield fileProblem(`episodes/${episode}`, fact('episode_not_started'));
    else {
      for (const attempt of await namesIn(`${layout.episodes}/${episode}`)) {
        const name = `${episode}/${attempt}`;
        if (attempt !== '1' && !started.has(name)) yield fileProblem(`episodes/${name}`, fact('attempt_not_started'));
      }
    }
  }
}

/** Compares every file of every sealed attempt with its seal in the ledger. */
export async function* sealFindings(
  layout: BundleLayout,
  records: AsyncIterable<LedgerRecord>,
): AsyncGenerator<BundleProblem> {
  const present = new Set((await namesIn(layout.blobs)).map(nameOfBlob));
  const named = new Set<string>();
  let [mayHaveOthers, open] = [false, 0];
  for await (const record of records) {
    if (record.kind === 'started') open += 1;
    if (record.kind === 'sealed' || record.kind === 'voided') open -= 1;
    if (record.kind === 'voided') mayHaveOthers = true;
    if (record.kind !== 'sealed') continue;
    const place = `episodes/${attemptName(record)}`;
    const { folder } = layout.attempt(record.episode_id, record.attempt);
    try {
      const { seal, hash } = await readAttemptSeal(folder);
      for (const blob of seal.blobs) named.add(blob);
      if (hash !== record.seal_hash) {
        // A seal that is not in the ledger proves nothing about the files.
        yield fileProblem(`${place}/seal.json`, fact('other_seal'));
        continue;
      }
      for (const blob of seal.blobs) {
        if (!present.has(blob))
          yield fileProblem(`blobs/${blob}`, fact('sealed_blob_missing', { seal: `${place}/seal.json` }));
      }
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      yield fileProblem(`${place}/seal.json`, error.fact);
      continue;
    }
    for (const { file, problem } of await checkAttemptSeal(folder)) yield fileProblem(`${place}/${file}`, problem);
  }
  yield* blobFindings(layout, named, mayHaveOthers || open > 0);
}

/** Checks that blobs match their names and that a seal names them; a killed attempt may have left others. */
async function* blobFindings(
  layout: BundleLayout,
  named: ReadonlySet<string>,
  mayHaveOthers: boolean,
): AsyncGenerator<BundleProblem> {
  const seen = new Set<string>();
  for (const file of await namesIn(layout.blobs)) {
    const name = nameOfBlob(file);
    const problem = seen.has(name) ? fact('blob_twice') : await problemOf(layout.blobs, file);
    seen.add(name);
    if (problem !== null) yield fileProblem(`blobs/${file}`, problem);
    else if (!named.has(name) && !mayHaveOthers) yield fileProblem(`blobs/${file}`, fact('blob_not_named'));
  }
}

async function problemOf(folder: string, file: string): Promise<Fact | null> {
  try {
    return await checkBlobFile(folder, file);
  } catch (error) {
    return factIn(error);
  }
}

function attemptName({ episode_id: id, attempt }: { episode_id: string; attempt: number }): string {
  return `${id}/${attempt}`;
}

/** Empty if the folder is missing: other checks report the missing files. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
