/**
 * The complete list of facts from outside an entrant that void its attempt after it has acted. Any other error may be the entrant's
 * doing, and counts: even if the kernel ends the browser for lack of memory, a page may have filled it. When we end a run, the
 * ledger voids what was started and not sealed.
 */
export type OutsideProof = 'disk_full';

/** The system's codes for a disk, or a user's share of it, that is full. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Returns the proof in an error. A code alone proves nothing: the error must name the failed system call. */
export function outsideProof(error: unknown): OutsideProof | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || !('errno' in error)) return null;
  return typeof error.code === 'string' && DISK_FULL.has(error.code) ? 'disk_full' : null;
}
