/**
 * Facts from outside an entrant that void its attempt though it has acted. This is the whole list: whatever else is thrown
 * then may be the entrant's doing, and counts.
 *
 * An end of the browser is not among them, not even by the kernel for want of memory: a page fills memory as it likes. Our own
 * end of a run leaves no attempt to judge: the ledger voids what was started and not sealed.
 */
export type OutsideProof = 'disk_full';

/** The system's codes for a disk, or a user's share of it, that is full. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The proof that an error is; null when it is none. A code alone proves nothing: it takes the system call that failed. */
export function outsideProof(error: unknown): OutsideProof | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || !('errno' in error)) return null;
  return typeof error.code === 'string' && DISK_FULL.has(error.code) ? 'disk_full' : null;
}
