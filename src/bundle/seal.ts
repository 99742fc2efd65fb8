import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson, sha256Hex } from '../contract/canonical.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { BundleError, isMissing } from './errors.ts';
import { parseJson } from './json-file.ts';
import { attemptLayout, safeSha256 } from './layout.ts';
import { MAX_BYTES } from './limits.ts';
import { readPlainFile } from './plain-file.ts';
import { Sha256 } from './sha256.ts';
import { messageOf } from '../contract/message-of.ts';

/** An attempt leaves three files; each is read whole, so a seal must not name many. */
const MAX_FILES = 16;

const SealedFile = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  sha256: Sha256,
  size: z.int().min(0),
});

/** Every file in the folder of an attempt, and every blob that they refer to. */
export const AttemptSeal = z.strictObject({
  schema_version: z.literal(1),
  files: z
    .array(SealedFile)
    .max(MAX_FILES)
    .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, 'name a file twice'),
  blobs: z.array(Sha256),
});
export type AttemptSeal = z.infer<typeof AttemptSeal>;

export interface SealProblem {
  file: string;
  problem: Fact;
}

const SEAL = 'seal.json';

/**
 * Puts the files of an attempt on disk, hashes them and writes `seal.json`. Returns the hash of the seal: in the ledger, it
 * exposes a file that was edited together with its seal.
 */
export async function sealAttempt(folder: string, blobs: Iterable<string>): Promise<string> {
  const names = (await plainNames(folder)).filter((name) => name !== SEAL);
  if (!names.includes('row.json')) throw new BundleError(fact('no_row', { folder }));
  const files = await Promise.all(names.map((name) => flushAndDescribe(folder, name)));
  const seal: AttemptSeal = { schema_version: 1, files, blobs: [...new Set(blobs)].map(safeSha256).toSorted() };
  const text = `${canonicalJson(seal)}\n`;
  await writeFileAtomically(attemptLayout(folder).seal, text);
  return sha256Hex(text);
}

export async function readAttemptSeal(folder: string): Promise<{ seal: AttemptSeal; hash: string }> {
  const path = attemptLayout(folder).seal;
  const bytes = readPlainFile(path, MAX_BYTES.seal);
  return { seal: parseJson(bytes, AttemptSeal, 'a seal', path), hash: sha256Hex(bytes) };
}

/** No problem means that not one byte differs from the seal. */
export async function checkAttemptSeal(folder: string): Promise<SealProblem[]> {
  try {
    const { seal } = await readAttemptSeal(folder);
    const problems: SealProblem[] = [];
    for (const file of seal.files) problems.push(...checkFile(folder, file));
    const sealed = new Set([SEAL, ...seal.files.map((file) => file.name)]);
    const strangers = (await readdir(folder)).filter((name) => !sealed.has(name)).toSorted();
    return [...problems, ...strangers.map((file) => ({ file, problem: fact('not_in_seal') }))];
  } catch (error) {
    return [{ file: SEAL, problem: problemOf(error) }];
  }
}

function checkFile(folder: string, sealed: z.infer<typeof SealedFile>): SealProblem[] {
  try {
    const bytes = readPlainFile(join(folder, sealed.name), MAX_BYTES.attemptFile);
    if (bytes.length === sealed.size && sha256Hex(bytes) === sealed.sha256) return [];
    return [{ file: sealed.name, problem: fact('not_as_sealed') }];
  } catch (error) {
    return [{ file: sealed.name, problem: problemOf(error) }];
  }
}

function problemOf(error: unknown): Fact {
  if (isMissing(error)) return fact('is_missing');
  return error instanceof BundleError ? error.fact : fact('not_checked', { why: messageOf(error) });
}

async function flushAndDescribe(folder: string, name: string): Promise<z.infer<typeof SealedFile>> {
  const file = await open(join(folder, name), 'r+');
  try {
    const bytes = await file.readFile();
    await file.datasync();
    return { name, sha256: sha256Hex(bytes), size: bytes.length };
  } finally {
    await file.close();
  }
}

async function plainNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const strange = entries.find((entry) => !entry.isFile());
  if (strange === undefined) return entries.map((entry) => entry.name).toSorted();
  throw new BundleError(fact('not_a_file', { file: join(folder, strange.name) }));
}
