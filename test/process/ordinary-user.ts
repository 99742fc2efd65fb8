import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A user that does not exist. */
const UID = 1_999_999_999;

/** Does something as a user whom file permissions bind, in a folder of theirs: they do not restrict root. */
export async function asOrdinaryUser(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ordinary-'));
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) chownSync(folder, UID, UID);
  try {
    if (isRoot) process.seteuid?.(UID);
    await work(folder);
  } finally {
    if (isRoot) process.seteuid?.(0);
    rmSync(folder, { recursive: true, force: true });
  }
}
