import http from 'node:http';
import net, { type Socket } from 'node:net';
import { portOf } from '../process/listening-port.ts';
import { BACKGROUND_HOST } from './flags.ts';

/** Refuses and counts the requests that Chromium makes by itself, and forwards the rest to the proxy of a world once it is set. */
export interface BackgroundProxy {
  /** Requests refused so far, by host. */
  refused(): Record<string, number>;
  /** Forwards every new connection to the proxy of a world, `http://127.0.0.1:<port>`. */
  forwardTo(proxy: string): void;
  take(socket: Socket): void;
  close(): void;
}

/** Matches the first line of a request that Chromium makes by itself. */
const IS_BACKGROUND = new RegExp(`^(?:CONNECT |[A-Z]+ https?://)${BACKGROUND_HOST.replaceAll('.', '\\.')}[:/]`);

export function backgroundProxy(): BackgroundProxy {
  const counts = new Map<string, number>();
  const count = (host: string | undefined): void => {
    const name = host ?? 'unknown';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const refusing = http.createServer((request, response) => {
    count(request.headers.host);
    response.writeHead(403).end();
  });
  refusing.on('connect', (request, socket) => {
    count(request.url);
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  let world: URL | null = null;
  const open = new Set<Socket>();
  const route = (socket: Socket, proxy: URL): void => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      if (IS_BACKGROUND.test(first.toString('latin1'))) refusing.emit('connection', socket);
      else join(socket, proxy);
      socket.resume();
    });
  };
  return {
    refused: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    forwardTo: (proxy) => {
      world = new URL(proxy);
    },
    take: (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      if (world === null) refusing.emit('connection', socket);
      else route(socket, world);
    },
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** The address, `host:port`, at which a server listens on loopback. */
export async function onLoopback(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${portOf(server)}`;
}

/** Pipes a socket and a proxy into each other; when one ends, so does the other. */
export function join(one: Socket, { hostname, port }: URL): void {
  const other = net.connect(Number(port), hostname);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
