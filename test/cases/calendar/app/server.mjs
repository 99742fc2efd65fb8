// Serves page.html, keeps what is posted to /save with the day on which it came, and lists it at /saved.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(new URL('./page.html', import.meta.url));
const clock = process.env.CALENDAR_CLOCK;
const ahead = clock === undefined ? 0 : Date.parse(clock) - Date.now();
const state = { saved: [] };

createServer((request, response) => {
  if (request.method === 'POST') {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => (body += text));
    request.on('end', () => {
      const today = new Date(Date.now() + ahead).toISOString().slice(0, 10);
      state.saved.push({ ...JSON.parse(body), added_on: today });
      response.writeHead(204).end();
    });
  } else if (request.url === '/__state' || request.url === '/saved') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  }
}).listen(Number(process.argv[2]), '127.0.0.1');
