import http from 'node:http';
import type { App } from '../src/world/app.ts';
import { loadApp } from '../src/world/load-app.ts';

/** Serves an instance of an app behind a plain HTTP server on loopback, as its author would without us. */
export async function serveApp(file: string): Promise<{ address: string; close(): void }> {
  const create = await loadApp(file);
  const app = await create({});
  const server = http.createServer((request, response) => {
    void answer(app, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the app has no port');
  return { address: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

async function answer(app: App, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {};
  const method = request.method ?? 'GET';
  const reply = await app.fetch(new Request(`http://localhost${request.url}`, { method, ...body }));
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  response.end(Buffer.from(await reply.arrayBuffer()));
}
