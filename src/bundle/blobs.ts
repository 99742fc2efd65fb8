import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, createBrotliDecompress } from 'node:zlib';
import { sha256Hex } from '../contract/canonical.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { BundleError, isMissing, systemCode } from './errors.ts';
import { safeSha256 } from './layout.ts';
import { MAX_BYTES } from './limits.ts';
import { readPlainFile } from './plain-file.ts';

export interface BlobSource {
  /** Returns the bytes with this hash, or throws. */
  get(sha256: string): Promise<Buffer>;
}

/** Values stored once, under the SHA-256 of their own bytes. */
export interface BlobStore extends BlobSource {
  /** Stores the bytes (a string as UTF-8) unless they are there, and returns their hash. */
  put(value: string | Uint8Array): Promise<string>;
  has(sha256: string): Promise<boolean>;
}

export interface BlobLimits {
  /** Most bytes of a blob, packed or unpacked: a small file could unpack to terabytes. */
  maxBytes?: number;
}

const PACKED = '.br';
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/**
 * A blob lies in `<sha256>.br` (Brotli) or, if that gains nothing, in `<sha256>`. Brotli at quality 1 packs a DOM capture to 60
 * % of gzip at level 1, in 40 % of its time.
 */
export function openBlobs(folder: string, { maxBytes = MAX_BYTES.blob }: BlobLimits = {}): BlobStore {
  const plain = (sha256: string) => join(folder, safeSha256(sha256));
  const packed = (sha256: string) => `${plain(sha256)}${PACKED}`;
  const has = async (sha256: string) => existsSync(packed(sha256)) || existsSync(plain(sha256));

  return {
    has,
    async put(value) {
      const bytes = Buffer.from(value);
      const sha256 = hashForBlob(bytes, maxBytes);
      if (await has(sha256)) return sha256;
      await mkdir(folder, { recursive: true });
      const smaller = await pack(bytes);
      if (smaller === null) await writeFileAtomically(plain(sha256), bytes);
      else await writeFileAtomically(packed(sha256), smaller);
      return sha256;
    },
    async get(sha256) {
      const file = readIfThere(packed(sha256), maxBytes);
      const bytes = file === null ? readIfThere(plain(sha256), maxBytes) : await unpack(sha256, file, maxBytes);
      if (bytes === null) {
        throw new BundleError(fact('blob_missing', { blob: sha256, folder }));
      }
      if (sha256Hex(bytes) !== sha256) throw new BundleError(fact('blob_corrupt', { blob: sha256 }));
      return bytes;
    },
  };
}

/** The hash that bytes will be stored under. @throws BundleError `blob_too_large` */
export function hashForBlob(bytes: Uint8Array, maxBytes = MAX_BYTES.blob): string {
  const sha256 = sha256Hex(bytes);
  if (bytes.length <= maxBytes) return sha256;
  throw new BundleError(fact('blob_too_large', { blob: sha256, bytes: bytes.length, most: maxBytes }));
}

export function nameOfBlob(file: string): string {
  return file.endsWith(PACKED) ? file.slice(0, -PACKED.length) : file;
}

/** Null if the bytes of a file match its name, with nothing after them. */
export async function checkBlobFile(folder: string, file: string, maxBytes = MAX_BYTES.blob): Promise<Fact | null> {
  const sha256 = safeSha256(nameOfBlob(file));
  const bytes = readPlainFile(join(folder, file), maxBytes);
  if (file === sha256) return sha256Hex(bytes) === sha256 ? null : fact('blob_other_bytes');
  const { content, packed } = await unpackWhole(sha256, bytes, maxBytes);
  if (sha256Hex(content) !== sha256) return fact('blob_other_bytes');
  return packed === bytes.length ? null : fact('blob_trailing_bytes');
}

/** Unpacks, and counts the bytes that it read. */
async function unpackWhole(
  sha256: string,
  file: Buffer,
  maxOutputLength: number,
): Promise<{ content: Buffer; packed: number }> {
  const brotli = createBrotliDecompress({ maxOutputLength });
  const pieces: Buffer[] = [];
  let size = 0;
  brotli.end(file);
  try {
    for await (const piece of brotli) {
      pieces.push(piece);
      size += piece.length;
      if (size > maxOutputLength) throw tooLarge(sha256, maxOutputLength);
    }
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw new BundleError(fact('blob_not_unpacked', { blob: sha256 }), error);
  }
  return { content: Buffer.concat(pieces), packed: brotli.bytesWritten };
}

async function pack(bytes: Buffer): Promise<Buffer | null> {
  if (isCompressedMedia(bytes)) return null;
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const result = await compress(bytes, { params });
  return result.length < bytes.length * 0.95 ? result : null;
}

async function unpack(sha256: string, file: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await decompress(file, { maxOutputLength: maxBytes });
  } catch (error) {
    if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(sha256, maxBytes, error);
    }
    throw new BundleError(fact('blob_not_unpacked', { blob: sha256 }), error);
  }
}

const MEDIA_MAGIC = ['89504e470d0a1a0a', 'ffd8ff', '52494646', '774f4632', '504b0304', '1f8b'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

function isCompressedMedia(bytes: Buffer): boolean {
  return MEDIA_MAGIC.some((magic) => bytes.subarray(0, magic.length).equals(magic));
}

function readIfThere(path: string, maxBytes: number): Buffer | null {
  try {
    return readPlainFile(path, maxBytes);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function tooLarge(sha256: string, maxBytes: number, cause?: unknown): BundleError {
  return new BundleError(fact('blob_unpacks_too_large', { blob: sha256, most: maxBytes }), cause);
}
