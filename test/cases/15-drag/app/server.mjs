// Serves page.html everywhere, keeps what is posted to /save, and reports its state at /__state.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('./page.html', import.meta.url));
const state = { saved: [] };

createServer((request, response) => {
  if (request.url === '/__state') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
    return;
  }
  if (request.method === 'POST') {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      state.saved.push(JSON.parse(body));
      response.writeHead(204).end();
    });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}).listen(Number(process.argv[2]), '127.0.0.1');
