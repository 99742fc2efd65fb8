import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import tls from 'node:tls';
import { text } from 'node:stream/consumers';
import type { World } from '../../src/world/world-proxy.ts';

export interface WireReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface WireRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export async function ask(world: World, url: string, request: WireRequest = {}): Promise<WireReply> {
  const reply = await askRaw(world, url, request);
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) };
}

/** As {@link ask}, with the body still to be read. */
export function askRaw(
  world: World,
  url: string,
  { method = 'GET', headers = {}, body }: WireRequest = {},
): Promise<http.IncomingMessage> {
  const { hostname, port } = new URL(world.proxy.server);
  return new Promise((resolve, reject) => {
    const options = { host: hostname, port, method, path: url, agent: false };
    http
      .request({ ...options, headers: { host: new URL(url).host, ...headers } }, resolve)
      .on('error', reject)
      .end(body);
  });
}

export function connect(world: World, target: string): Promise<{ status: number; socket: net.Socket }> {
  const { hostname, port } = new URL(world.proxy.server);
  return new Promise((resolve, reject) => {
    http
      .request({ host: hostname, port, method: 'CONNECT', path: target, agent: false })
      .on('connect', (reply, socket) => {
        if (socket instanceof net.Socket) resolve({ status: reply.statusCode ?? 0, socket });
      })
      .on('error', reject)
      .end();
  });
}

/** Opens an encrypted connection to an origin of the world, speaking this protocol. */
export async function connectTls(world: World, host: string, protocol: 'h2' | 'http/1.1'): Promise<tls.TLSSocket> {
  const { socket } = await connect(world, `${host}:443`);
  return await new Promise((resolve, reject) => {
    const secure = tls.connect(
      { socket, servername: host, rejectUnauthorized: false, ALPNProtocols: [protocol] },
      () => {
        resolve(secure);
      },
    );
    secure.on('error', reject);
  });
}

export async function askHttp2(world: World, url: string): Promise<WireReply> {
  const { origin, host, pathname } = new URL(url);
  const secure = await connectTls(world, host, 'h2');
  const session = http2.connect(origin, { createConnection: () => secure });
  const stream = session.request({ ':path': pathname });
  const headers = await new Promise<http2.IncomingHttpHeaders>((resolve, reject) => {
    stream.on('response', resolve).on('error', reject);
  });
  const body = await text(stream);
  session.close();
  return { status: Number(headers[':status']), headers: { ...headers }, body };
}
