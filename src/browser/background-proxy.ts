import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Refuses and counts every request that Chromium makes on its own account. */
export interface BackgroundProxy {
  /** `host:port` for `--proxy-server`. */
  address: string;
  /** Requests refused so far, by host. */
  refused(): Record<string, number>;
  close(): void;
}

export async function startBackgroundProxy(): Promise<BackgroundProxy> {
  const counts = new Map<string, number>();
  const count = (host: string | undefined): void => {
    const name = host ?? 'unknown';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const server = http.createServer((request, response) => {
    count(request.headers.host);
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    count(request.url);
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${portOf(server.address())}`,
    refused: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
