import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:net';

/**
 * The port at which a server of ours listens.
 * @throws Error when it listens at none.
 */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens at no port');
  return address.port;
}

/** State of a socket that listens, in the kernel's tables. */
const LISTENS = '0A';

/** The TCP ports at which these processes listen, by the tables of Linux. What cannot be read counts as not listening. */
export function portsHeldBy(pids: readonly number[]): number[] {
  const held = new Set(pids.flatMap(socketsOf));
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readOr(() => readFileSync(table, 'utf8').split('\n'), []),
  );
  const ports = lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === LISTENS && held.has(`socket:[${inode}]`)
      ? [Number.parseInt(local.split(':').at(-1) ?? '', 16)]
      : [];
  });
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readOr(() => readdirSync(folder), []).flatMap((name) => readOr(() => [readlinkSync(`${folder}/${name}`)], []));
}

function readOr<Read>(read: () => Read, otherwise: Read): Read {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
