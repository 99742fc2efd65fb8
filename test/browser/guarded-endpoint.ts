import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

export interface Guard {
  user: string;
  password: string;
  token: string;
  tls?: { key: string; cert: string };
}

/** A way to a browser through a server that asks everybody for user, password and token, as a service in front of browsers does. */
export async function guardedEndpoint(
  browser: string,
  { user, password, token, tls }: Guard,
): Promise<{ port: number; close: () => Promise<void> }> {
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const to = new URL(browser);
  const mayCome = ({ headers, url = '' }: http.IncomingMessage): boolean =>
    headers.authorization === basic && new URL(url, browser).searchParams.get('token') === token;
  const asked: http.RequestListener = (request, reply) => {
    if (!mayCome(request)) {
      reply.writeHead(401).end();
      return;
    }
    http.get(new URL(new URL(request.url ?? '', browser).pathname, browser), (found) => found.pipe(reply));
  };
  const server = tls === undefined ? http.createServer(asked) : https.createServer(tls, asked);
  server.on('upgrade', (request: http.IncomingMessage, socket: net.Socket) => {
    if (!mayCome(request)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      return;
    }
    const beyond = net.connect(Number(to.port), to.hostname);
    const { 'sec-websocket-key': key, 'sec-websocket-version': version } = request.headers;
    beyond.write(
      [
        `GET ${new URL(request.url ?? '', browser).pathname} HTTP/1.1`,
        `Host: ${to.host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Key: ${key}`,
        `Sec-WebSocket-Version: ${version}`,
        '\r\n',
      ].join('\r\n'),
    );
    beyond.pipe(socket).pipe(beyond);
    for (const each of [beyond, socket]) each.on('error', () => [beyond, socket].map((one) => one.destroy()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const at = server.address();
  return {
    port: typeof at === 'object' && at !== null ? at.port : 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
