import { createReadStream } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { portOf } from '../../src/process/listening-port.ts';
import { fileOf } from './built-links.ts';

const LOOPBACK = '127.0.0.1';
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.zip': 'application/zip',
};

/** A built site on loopback. */
export interface ServedSite extends AsyncDisposable {
  address: string;
}

/** Serves a built site to this machine alone; the generator's own preview listens to all that can reach the machine. */
export async function serveSite(built: string, { base = '/', port = 0 } = {}): Promise<ServedSite> {
  const server = http.createServer((request, response) => {
    const asked = pathOf(request.url ?? '/');
    const file = asked === null ? null : fileOf(built, base, asked);
    const sent = file ?? '404.html';
    response.writeHead(file === null ? 404 : 200, {
      'content-type': TYPES[path.extname(sent)] ?? 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    });
    createReadStream(path.join(built, sent))
      .on('error', () => response.end())
      .pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    address: `http://${LOOPBACK}:${portOf(server)}${base}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '/');
  } catch {
    return null;
  }
}
