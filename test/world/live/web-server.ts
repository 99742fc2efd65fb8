import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export interface WebServer extends AsyncDisposable {
  port: number;
  asked: string[];
  close: () => Promise<void>;
}

type Answer = (request: http.IncomingMessage, reply: http.ServerResponse) => void;

export async function webServer(answer: Answer, pair?: { key: string; cert: string }): Promise<WebServer> {
  const asked: string[] = [];
  const listener: Answer = (request, reply) => {
    asked.push(`${request.method ?? ''} ${request.headers.host ?? ''}${request.url ?? ''}`);
    answer(request, reply);
  };
  const server = pair === undefined ? http.createServer(listener) : https.createServer(pair, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: portOf(server.address()), asked, close, [Symbol.asyncDispose]: close };
}

/** A key, and an unsigned certificate for these names. */
export async function certificateFor(names: readonly string[]): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }],
  });
  return { key, cert };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
