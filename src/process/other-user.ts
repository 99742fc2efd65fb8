import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** A user id that no other process has; null unless we are root. */
export function otherUser(): number | null {
  return process.getuid?.() === 0 ? randomInt(1_000_000_000, 2_000_000_000) : null;
}

/** Makes a user the owner of a folder; false if other users cannot reach it, as below a TMPDIR that only root can enter. */
export function giveFolder(uid: number, folder: string): boolean {
  const { uid: before, gid } = statSync(folder);
  chownSync(folder, uid, uid);
  if (canRead(uid, [folder])) {
    giveAll(uid, folder);
    return true;
  }
  chownSync(folder, before, gid);
  return false;
}

export function canRead(uid: number, places: readonly string[]): boolean {
  return can(uid, '-r', places);
}

export function canStart(uid: number, programs: readonly string[]): boolean {
  return can(uid, '-x', programs);
}

function can(uid: number, test: '-r' | '-x', places: readonly string[]): boolean {
  const script = `for place in "$@"; do test ${test} "$place" || exit 1; done`;
  const options = { uid, gid: uid, stdio: 'ignore', timeout: 10_000, cwd: '/' } as const;
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...places], options).status === 0;
}

function giveAll(uid: number, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    lchownSync(place, uid, uid);
    if (entry.isDirectory()) giveAll(uid, place);
  }
}
