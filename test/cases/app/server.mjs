// Serves the page that its arguments name and the files of a folder, keeps what is posted to /save, and reports its state at /__state.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const page = readFileSync(new URL(process.argv[3] ?? '', import.meta.url));
const state = { saved: [] };

const bodyOf = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/__state') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
  } else if (request.method === 'POST' && url.pathname === '/save') {
    state.saved.push(JSON.parse(await bodyOf(request)));
    response.writeHead(204).end();
  } else if (url.pathname.startsWith('/files/')) {
    const file = readFileSync(new URL(path.posix.basename(url.pathname), new URL('files/', import.meta.url)));
    const attached = url.search === '' ? { 'content-disposition': 'attachment' } : {};
    response.writeHead(200, { 'content-type': 'text/plain', ...attached }).end(file);
  } else if (url.pathname === '/favicon.ico') {
    response.writeHead(404).end();
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  }
}

createServer((request, response) => void answer(request, response)).listen(Number(process.argv[2]), '127.0.0.1');
