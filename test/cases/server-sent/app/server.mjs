// Sends nothing over /events until an order is posted.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(new URL('./page.html', import.meta.url));
const streams = new Set();
const state = { orders: 0 };

createServer((request, response) => {
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    streams.add(response);
    response.on('close', () => streams.delete(response));
  } else if (request.method === 'POST') {
    state.orders += 1;
    for (const stream of streams) stream.write('data: shipped\n\n');
    response.writeHead(204).end();
  } else if (request.url === '/__state') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  }
}).listen(Number(process.argv[2]), '127.0.0.1');
