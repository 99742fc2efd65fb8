import { readFileSync } from 'node:fs';

/** Stands for the start of a process where the system does not tell it. */
const UNKNOWN = '0';

/** Fields of `/proc/<pid>/stat` behind the name of the program, and the place of `starttime` among them (proc(5)). */
const START_FIELD = 19;

/** When a process began, in clock ticks since the system did; "0" where that cannot be read. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets, and may hold some itself.
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

/** Whether there is a process of this number; it may be somebody else's. */
function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
