import path from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, homedir } from 'node:os';

/** The start of a process that the system does not report. */
const UNKNOWN = '0';

/** Fields of `/proc/<pid>/stat` behind the name of the program, and the place of `starttime` among them (proc(5)). */
const START_FIELD = 19;

/** When a process began, in clock ticks since the system did; "0" where that cannot be read. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets, and may hold some itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** The number of a process and its start. Numbers are given out again, and threads have some of them. */
export const identityOfProcess = (pid: number): string => `${pid}-${startOf(pid)}`;

/** Whether the process of this {@link identityOfProcess} still runs. */
export function isRunning(identity: string): boolean {
  const [pid, start] = identity.split('-');
  const found = startOf(Number(pid));
  return found === UNKNOWN || start === UNKNOWN ? hasProcess(Number(pid)) : found === start;
}

/** Whether there is a process of this number, of any user. */
function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The use of a folder: a browser's profile, what Playwright lays down, the home of a tool server or of an agent, a way to the gateway, an application, the bundle of what is run again, a bundle that came packed, what a worker records. */
type FolderUse = 'profile' | 'artifacts' | 'home' | 'gateway' | 'app' | 'rerun' | 'bundle' | 'worker';

/** The name holds our process id and start, so that a later run knows whether the folder is still needed. */
const NAME = /^touchstone-(?:profile|artifacts|home|gateway|app|rerun|bundle|worker)-(\d+-\d+)-[A-Za-z0-9]{6}$/;

const OWNER = identityOfProcess(process.pid);

/** Number of tries to remove a folder, and how much longer is waited each time, in ms: not a second in all. */
const RETRIES = 8;
const RETRY_MS = 20;

/** Folders that are still needed. */
const made = new Set<string>();

/** Makes a fresh folder among the temporary ones. It is gone with this process at the latest, if that ends in order. */
export function makeFolder(use: FolderUse): string {
  if (made.size === 0) process.on('exit', removeAll);
  const folder = mkdtempSync(path.join(tmpdir(), `touchstone-${use}-${OWNER}-`));
  made.add(folder);
  return folder;
}

/**
 * Removes a folder and never throws. A process that wrote there may still be ending, hence the retries; read-only parts are made
 * writable, parts too deep for a path are reached step by step, and what still cannot be removed is swept by a later run.
 */
export function removeFolder(folder: string): void {
  forget(folder);
  if (isRemoved(folder, 0)) return;
  for (const [program, ...args] of byOthers(folder)) spawnSync(program, args, { stdio: 'ignore' });
  isRemoved(folder, RETRIES);
}

/** The same in the background: the folder may be full, and other episodes go on meanwhile. */
export async function clearFolder(folder: string): Promise<void> {
  if (!(await hasRemoved(folder, 0))) {
    for (const [program, ...args] of byOthers(folder)) await run(program, args);
    await hasRemoved(folder, RETRIES);
  }
  forget(folder);
}

/** Commands that go down from folder to folder: a path has an end, and folders need not have one. */
function byOthers(folder: string): [string, ...string[]][] {
  if (process.platform === 'win32') return [];
  return [
    ['chmod', '-R', 'u+rwX', '--', folder],
    ['rm', '-rf', '--', folder],
  ];
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore' });
  await new Promise((resolve) => {
    child.once('error', resolve).once('close', resolve);
  });
}

function forget(folder: string): void {
  if (made.delete(folder) && made.size === 0) process.off('exit', removeAll);
}

/** Removes the folders that killed runs have left behind. */
export function sweepFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = NAME.exec(name)?.[1];
    if (owner !== undefined && !isRunning(owner)) removeFolder(path.join(tmpdir(), name));
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

async function hasRemoved(folder: string, maxRetries: number): Promise<boolean> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries, retryDelay: RETRY_MS });
    return true;
  } catch {
    return false;
  }
}

/** Writes copies of files, which every user can read, into a fresh folder. */
export async function layFiles(folder: string, files: readonly { name: string; bytes: Buffer }[]): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
  for (const { name, bytes } of files) {
    const copy = path.join(folder, name);
    await writeFile(copy, bytes, { flag: 'wx' });
    await chmod(copy, 0o644);
  }
}

/** The folder of what is kept between runs, by what it is: `~/.cache/touchstone/<kind>`; `TOUCHSTONE_CACHE` names another place. */
export function cacheFolder(kind: 'apps' | 'trials', env: NodeJS.ProcessEnv = process.env): string {
  const named = env['TOUCHSTONE_CACHE'] ?? '';
  return path.join(named === '' ? path.join(homedir(), '.cache', 'touchstone') : path.resolve(named), kind);
}
