import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Language } from './seed-book.ts';

const PAGES = new URL('pages/', import.meta.url);
const RUNTIME = new URL('../nac3/', import.meta.url);

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

interface Setting {
  /** Of a page whose address does not say `?lang=`. */
  language: Language;
  isDecorated: boolean;
  /** A file beside this one. */
  manifest: string;
}

/** Answers for the page's files, and for the NAC3 runtime below `/nac3/`. */
export function pagesOf({ language, isDecorated, manifest }: Setting): (pathname: string) => Promise<Response> {
  return async (pathname) => {
    if (pathname === '/') {
      const page = await readFile(new URL('index.html', PAGES), 'utf8');
      const named = page.replace('data-default-language="es"', `data-default-language="${language}"`);
      return responseOf(isDecorated ? named : stripped(named), 'html');
    }
    if (isDecorated && pathname === '/nac3/manifest.json') return await fileIn(new URL('.', import.meta.url), manifest);
    if (isDecorated && pathname.startsWith('/nac3/')) return await fileIn(RUNTIME, pathname.slice('/nac3/'.length));
    return await fileIn(PAGES, pathname.slice(1));
  };
}

/** The page without the runtime and what loads it; its modules then write no attributes. */
function stripped(page: string): string {
  return page
    .split('\n')
    .filter((line) => !line.includes('/nac3/'))
    .join('\n')
    .replace('data-decoration="nac3"', 'data-decoration="stripped"');
}

/** A file of a folder, by names without anything that could lead out of it. */
async function fileIn(folder: URL, name: string): Promise<Response> {
  const extension = /^(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(\w+)$/.exec(name)?.[1] ?? '';
  if (TYPES[extension] === undefined) return notFound();
  try {
    return responseOf(await readFile(fileURLToPath(new URL(name, folder))), extension);
  } catch {
    return notFound();
  }
}

function responseOf(body: string | Buffer, extension: string): Response {
  const bytes = typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(bytes, { headers: { 'content-type': TYPES[extension] ?? '', 'cache-control': 'no-store' } });
}

function notFound(): Response {
  return new Response('not found', { status: 404 });
}
