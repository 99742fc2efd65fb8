import { FactError } from '../messages/fact-error.ts';
import type { BUNDLE } from '../messages/bundle.ts';

export class BundleError extends FactError<keyof typeof BUNDLE> {}

export function isMissing(error: unknown): boolean {
  return error instanceof BundleError && error.code === 'file_missing';
}

/** The code of a file system or zlib error (`ENOENT`, `ERR_BUFFER_TOO_LARGE`), or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
