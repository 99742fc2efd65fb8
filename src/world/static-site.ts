import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { App } from './app.ts';

const HTML = 'text/html; charset=utf-8';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': HTML,
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The media type of a file: by the end of its name; if that is unknown, as in `/wiki/Eiffel_Tower`, by its beginning. */
export function mediaTypeOf(file: string, body: Buffer): string {
  const isPage = body.subarray(0, 64).toString('latin1').toLowerCase().startsWith('<!doctype html');
  return TYPES[path.extname(file).toLowerCase()] ?? (isPage ? HTML : 'application/octet-stream');
}

/**
 * Serves the files of a folder; `/` and `/dir/` mean `index.html`. Nothing outside the folder is served, by link or by path.
 * The query plays no part.
 */
export function staticSite(folder: string): App {
  return {
    state: () => null,
    async fetch(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response('method not allowed', { status: 405 });
      const file = await confined(folder, new URL(request.url).pathname);
      if (file === null) return new Response('not found', { status: 404 });
      const body = await readFile(file);
      return new Response(body, { headers: { 'content-type': mediaTypeOf(file, body) } });
    },
  };
}

/** The real path of the file that a URL path names, or null when it is missing or outside the folder. */
async function confined(folder: string, pathname: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const wanted = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const file = await realpath(path.join(root, wanted));
    return file.startsWith(root + path.sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}
