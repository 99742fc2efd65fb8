import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../../process/own-folder.ts';

/** Far more than an application writes in an episode. */
const MAX_FILES = 5_000;
const MAX_BYTES = 256 * 1024 * 1024;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/** The bytes and files that may still be copied. */
interface Room {
  files: number;
  bytes: number;
}

/**
 * Reads an application's data from a copy, so that it does not change meanwhile. Only files and folders are copied: an agent with a
 * shell in the application's sandbox can create a link to one of our files, or a pipe that is never written to. Copying is
 * synchronous, since there are few files, and on a busy machine every switch to another thread takes time.
 */
export async function readCopied<T>(data: string, read: (copy: string) => T | Promise<T>): Promise<T> {
  const folder = makeFolder('app');
  try {
    const copy = path.join(folder, 'data');
    copyFolder(data, copy, { files: MAX_FILES, bytes: MAX_BYTES });
    return await read(copy);
  } finally {
    removeFolder(folder);
  }
}

function copyFolder(from: string, to: string, room: Room): void {
  opened(from, O_DIRECTORY, (folder) => {
    // Through the open folder, which no link can replace. Only Linux has this, and a sandbox.
    const place = process.platform === 'linux' ? `/proc/self/fd/${folder}` : from;
    mkdirSync(to);
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      takeRoom(room, 'files', 1);
      const [source, target] = [path.join(place, entry.name), path.join(to, entry.name)];
      if (entry.isDirectory()) copyFolder(source, target, room);
      else if (entry.isFile()) copyFile(source, target, room);
    }
  });
}

function copyFile(from: string, to: string, room: Room): void {
  opened(from, 0, (file, stats) => {
    if (!stats.isFile()) return;
    takeRoom(room, 'bytes', stats.size);
    // The file may grow meanwhile.
    const bytes = Buffer.alloc(stats.size);
    writeFileSync(to, bytes.subarray(0, readSync(file, bytes)));
  });
}

function opened(place: string, flag: number, use: (fd: number, stats: Stats) => void): void {
  const fd = openIfThere(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flag);
  if (fd === null) return;
  try {
    use(fd, fstatSync(fd));
  } finally {
    closeSync(fd);
  }
}

/** Null if the entry was removed or replaced after it was listed. */
function openIfThere(place: string, flags: number): number | null {
  try {
    return openSync(place, flags);
  } catch (error) {
    if (error instanceof Error && 'code' in error && CHANGED.has(error.code)) return null;
    throw error;
  }
}

const CHANGED: ReadonlySet<unknown> = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO']);

function takeRoom(room: Room, of: keyof Room, count: number): void {
  room[of] -= count;
  if (room[of] < 0) throw new Error(`its data is more than ${MAX_FILES} files, or ${MAX_BYTES} bytes`);
}
