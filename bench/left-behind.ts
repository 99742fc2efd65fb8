import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Leftovers of a process, of its children and of their files, by name. */
export type Remains = ReadonlySet<string>;

/**
 * Processes that this one has started or that know of a folder, by their names, folders or arguments;
 * ports that this process listens on; what is in the folder. Linux only.
 * @param folder where all temporary files go
 */
export function remains(folder: string): Remains {
  return new Set([...processes(folder), ...ports(), ...readdirSync(folder).map((name) => `file ${name}`)]);
}

function processes(folder: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isOurs = (pid: string): boolean => {
    for (let at = parents.get(pid); at !== undefined; at = parents.get(at)) if (at === String(process.pid)) return true;
    return [read(pid, 'cmdline'), read(pid, 'environ'), cwdOf(pid)].some((text) => text.includes(folder));
  };
  return pids.filter(isOurs).map((pid) => `process ${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 120)}`);
}

/** Fourth in `/proc/<pid>/stat`, whose second is in brackets and may hold anything. */
function parentOf(pid: string): string | undefined {
  return /^.*\) \S (\d+)/s.exec(read(pid, 'stat'))?.[1];
}

function ports(): string[] {
  const sockets = new Set(
    readdirSync('/proc/self/fd').flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${fd}`))?.[1] ?? []),
  );
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1));
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const isListening = state === '0A' && sockets.has(inode);
    return isListening ? [`port ${Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16)}`] : [];
  });
}

/** Empty where it is gone by now, or another user's. */
function read(pid: string, name: string): string {
  try {
    return readFileSync(path.join('/proc', pid, name), 'utf8');
  } catch {
    return '';
  }
}

function cwdOf(pid: string): string {
  return linkOf(path.join('/proc', pid, 'cwd'));
}

function linkOf(place: string): string {
  try {
    return readlinkSync(place);
  } catch {
    return '';
  }
}
