import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRunning } from './is-running.ts';

/** The use of a folder: a browser's profile, the home of a tool server or of an agent, a way to the gateway, an application, the bundle of what is run again, a bundle that came packed. */
export type FolderUse = 'profile' | 'home' | 'gateway' | 'app' | 'rerun' | 'bundle';

/** Our process id stands in the name, so that a later run can tell whether the folder is still needed. */
const NAME = /^touchstone-(?:profile|home|gateway|app|rerun|bundle)-(\d+)-[A-Za-z0-9]{6}$/;

/** Number of tries to remove a folder, and how much longer is waited each time, in ms: not a second in all. */
const RETRIES = 8;
const RETRY_MS = 20;

/** Folders that are still needed. */
const made = new Set<string>();

/** Makes a fresh folder among the temporary ones. It is gone with this process at the latest, if that ends in order. */
export function makeFolder(use: FolderUse): string {
  if (made.size === 0) process.on('exit', removeAll);
  const folder = mkdtempSync(path.join(tmpdir(), `touchstone-${use}-${process.pid}-`));
  made.add(folder);
  return folder;
}

/**
 * Removes a folder and never throws. Whoever wrote there may still be ending, hence the retries; folders that are
 * read-only are made writable; what cannot be removed all the same is swept by a later run.
 */
export function removeFolder(folder: string): void {
  made.delete(folder);
  if (made.size === 0) process.off('exit', removeAll);
  if (isRemoved(folder, 0)) return;
  makeWritable(folder);
  isRemoved(folder, RETRIES);
}

/** Removes the folders that killed runs have left behind. */
export function sweepFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = NAME.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) removeFolder(path.join(tmpdir(), name));
  }
}

function removeAll(): void {
  made.forEach(removeFolder);
}

function isRemoved(folder: string, maxRetries: number): boolean {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries, retryDelay: RETRY_MS });
    return true;
  } catch {
    return false;
  }
}

/** Lets us remove what is in a folder and below it, where it is ours. */
function makeWritable(folder: string): void {
  try {
    // A link would lead elsewhere.
    if (!lstatSync(folder).isDirectory()) return;
    chmodSync(folder, 0o700);
    for (const name of readdirSync(folder)) makeWritable(path.join(folder, name));
  } catch {
    // It belongs to someone else.
  }
}
