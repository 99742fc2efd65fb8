import { readdirSync, readFileSync } from 'node:fs';

/**
 * Memory of a process and of all that it has started, in MB; what several of them share counts once (`Pss`), unless the system does
 * not say how much that is. Linux only.
 */
export function memoryOfTree(root: number): number {
  const children = new Map<string, string[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    // The name of a program is in brackets, and may hold anything.
    const parent = read(pid, 'stat').split(') ').at(-1)?.split(' ')[1] ?? '';
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const sizeFrom = (pid: string): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + sizeFrom(child), kilobytesOf(pid));
  return sizeFrom(String(root)) / 1024;
}

function kilobytesOf(pid: string): number {
  const shared = /^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1];
  return Number(shared ?? /^VmRSS:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0);
}

/** Empty of a process that has ended meanwhile. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
