import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { portsHeldBy } from './listening-port.ts';

/** The variable that identifies the processes that a process has started, anywhere. */
const MARK = 'TOUCHSTONE_MARK';
const END_MS = 5_000;

/**
 * All that a process has started. It is known by three signs: the process group; a mark in the environment, which a
 * process keeps that has left the group; and the user, if it has its own. Only Linux lets us look for the last
 * two.
 */
export class ProcessTree {
  readonly environment: Record<string, string>;
  readonly #mark: string;
  readonly #uid: number | null;
  #leader: number | null = null;

  /** @param uid its own user; null if it runs as ours */
  constructor(uid: number | null) {
    const id = randomBytes(16).toString('hex');
    this.environment = { [MARK]: id };
    this.#mark = `${MARK}=${id}`;
    this.#uid = uid;
  }

  /** @param pid the process that was started, which leads a group of its own */
  startedWith(pid: number | undefined): void {
    this.#leader = pid ?? null;
  }

  /** Ports at which it listens, on any address; known on Linux only. */
  listening(): number[] {
    return process.platform === 'linux' ? portsHeldBy(this.#found()) : [];
  }

  async end(): Promise<void> {
    const giveUpAt = performance.now() + END_MS;
    while (this.kill() > 0 && performance.now() < giveUpAt) await sleep(10);
    // Its number may be that of another process from now on.
    this.#leader = null;
  }

  /** Ends all processes found now. Returns the number of processes outside of the group. */
  kill(): number {
    if (this.#leader !== null) killGroup(this.#leader);
    // Before the look, which misses processes that keep forking and ending.
    if (this.#uid !== null) killAllOf(this.#uid);
    const found = process.platform === 'linux' ? this.#found() : [];
    for (const pid of found) {
      // Its own group too: a browser's helpers write over their environment.
      killGroup(pid);
      killQuietly(pid);
    }
    return found.length;
  }

  #found(): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid !== process.pid && this.#isOfTree(pid));
  }

  #isOfTree(pid: number): boolean {
    try {
      if (this.#uid !== null && statSync(`/proc/${pid}`).uid === this.#uid) return !hasEnded(pid);
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(this.#mark);
    } catch {
      // It has ended, or is not ours to look at, and then not ours to end.
      return false;
    }
  }
}

/** Ends the process group that a process leads; on Windows, which has none, the process. */
export function killGroup(leader: number): void {
  killQuietly(process.platform === 'win32' ? leader : -leader);
}

/**
 * Ends all processes of a user at once, as no look at them one by one can: the kernel lets none of them fork meanwhile.
 * The shell asks who it is first, since as our own user it would end everything of ours.
 */
function killAllOf(uid: number): void {
  const line = '[ "$(id -u)" = "$1" ] && kill -s KILL -- -1';
  const env = { PATH: '/usr/bin:/bin' };
  spawnSync('/bin/sh', ['-c', line, 'sh', String(uid)], { uid, gid: uid, env, cwd: '/', stdio: 'ignore' });
}

/** Whether a process has ended and only waits for its parent to collect it. */
function hasEnded(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}
