import { RemediedError } from '../contract/remedied-error.ts';

/** The problems that a bundle can have. Stable, so that callers can decide by them. */
export type BundleErrorCode =
  | 'bad_name'
  | 'bad_secret'
  | 'file_missing'
  | 'not_a_file'
  | 'unreadable'
  | 'too_large'
  | 'malformed'
  | 'blob_missing'
  | 'blob_corrupt'
  | 'ledger_broken'
  | 'ledger_shared'
  | 'attempt_incomplete'
  | 'plan_order';

/** An error about a bundle. Its message names the file at fault, and `remedy` what to do. */
export class BundleError extends RemediedError<BundleErrorCode> {}

/** Whether a file of a bundle could not be read because it is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof BundleError && error.code === 'file_missing';
}

/** The code of a file system or zlib error (`ENOENT`, `ERR_BUFFER_TOO_LARGE`), or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
