import { brotliDecompressSync } from 'node:zlib';
import path from 'node:path';
import type { BundleCopy } from './bundle-copy.ts';

/** Files and their new content; null: removed. */
export type Changed = Map<string, Buffer | null>;

/** A kind of change: its random effect on a bundle; null when it does not apply to the part drawn. */
type Mutation = (bundle: BundleCopy, random: () => number) => Promise<Changed | null>;

function pick<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Every kind of file is picked as often as the others, so that hundreds of blobs do not hide the one ledger. */
function pickFile({ files }: BundleCopy, random: () => number, only: RegExp = /./): string {
  const kinds = new Map<string, string[]>();
  for (const file of files.filter((each) => only.test(each))) {
    const kind = file.startsWith('blobs/') ? 'blobs' : `${file.startsWith('episodes/')}${path.basename(file)}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  }
  return pick(pick([...kinds.values()], random) ?? [], random) ?? '';
}

const flip: Mutation = async (bundle, random) => {
  const file = pickFile(bundle, random);
  const [bytes, before] = [await bundle.read(file), await bundle.read(file)];
  if (bytes.length === 0) return null;
  const at = Math.floor(random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  // Brotli has bits that say nothing of the content, and a blob is its content.
  return file.endsWith('.br') && sameContent(before, bytes) ? null : new Map([[file, bytes]]);
};

function sameContent(before: Buffer, after: Buffer): boolean {
  try {
    return brotliDecompressSync(after).equals(brotliDecompressSync(before));
  } catch {
    return false;
  }
}

/** A whole file, or a line of one. */
const drop: Mutation = async (bundle, random) => {
  if (random() < 0.5) return new Map([[pickFile(bundle, random), null]]);
  return await editLines(bundle, random, (lines, at) => lines.filter((_, index) => index !== at));
};

/** A line once more, or a file under another name. */
const repeat: Mutation = async (bundle, random) => {
  if (random() < 0.7) return await editLines(bundle, random, (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''));
  const file = pickFile(bundle, random);
  return new Map([[`${file}.copy`, await bundle.read(file)]]);
};

/** Two lines of a file, or two files of one kind. */
const swap: Mutation = async (bundle, random) => {
  if (random() < 0.5) {
    return await editLines(bundle, random, (lines, at) => {
      const other = (at + 1) % lines.length;
      return lines.with(at, lines[other] ?? '').with(other, lines[at] ?? '');
    });
  }
  const first = pickFile(bundle, random, /^(episodes|blobs)\//);
  const isLike = (file: string) =>
    file !== first &&
    path.extname(file) === path.extname(first) &&
    (first.startsWith('blobs/') ? file.startsWith('blobs/') : path.basename(file) === path.basename(first));
  const second = pick(bundle.files.filter(isLike), random) ?? first;
  const [one, other] = [await bundle.read(first), await bundle.read(second)];
  return one.equals(other)
    ? null
    : new Map([
        [first, other],
        [second, one],
      ]);
};

/** One digit or letter of a text, so that it keeps its form: JSON, a hash, a number. */
const edit: Mutation = async (bundle, random) => {
  const file = pickFile(bundle, random, /^(?!blobs)/);
  const text = (await bundle.read(file)).toString('utf8');
  const places = [...text.matchAll(/[0-9a-z]/g)].map(({ index }) => index);
  const at = pick(places, random) ?? 0;
  const old = text[at] ?? '';
  const other =
    pick(
      (/\d/.test(old) ? '0123456789' : 'abcdef').split('').filter((each) => each !== old),
      random,
    ) ?? '';
  return new Map([[file, Buffer.from(`${text.slice(0, at)}${other}${text.slice(at + 1)}`)]]);
};

async function editLines(
  bundle: BundleCopy,
  random: () => number,
  change: (lines: string[], at: number) => string[],
): Promise<Changed | null> {
  const file = pickFile(bundle, random, /\.(jsonl|md)$/);
  const text = (await bundle.read(file)).toString('utf8');
  const lines = text.trimEnd().split('\n');
  const changed = change(lines, Math.floor(random() * lines.length));
  const after = `${changed.join('\n')}\n`;
  return after === text ? null : new Map([[file, Buffer.from(after)]]);
}

export const MUTATIONS = { flip, drop, repeat, swap, edit };
