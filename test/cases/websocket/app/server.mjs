// A tiny chat: what comes over the socket is kept and sent back. No package is needed.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('./page.html', import.meta.url));
const state = { messages: [] };
const server = createServer((request, response) => {
  if (request.url === '/__state')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
});
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('data', (frame) => {
    if ((frame[0] & 15) !== 1) return;
    const length = frame[1] & 127;
    const mask = frame.subarray(2, 6);
    const text = Buffer.from(frame.subarray(6, 6 + length).map((byte, at) => byte ^ mask[at % 4])).toString('utf8');
    state.messages.push(text);
    const reply = Buffer.from(text);
    socket.write(Buffer.concat([Buffer.from([129, reply.length]), reply]));
  });
  socket.on('error', () => {});
});
server.listen(Number(process.argv[2]), '127.0.0.1');
