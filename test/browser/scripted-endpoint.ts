import { once } from 'node:events';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** The servers of the running test, and what has connected to them. */
export const servers: WebSocketServer[] = [];
export const raw: Socket[] = [];

interface Command {
  id: number;
  method: string;
  sessionId?: string;
}

/** An endpoint without a browser, for the running test. */
export async function endpoint(onCommand: (socket: WebSocket, command: Command) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  onTestFinished(() => {
    server.close();
    servers.length = 0;
    raw.length = 0;
  });
  server.on('connection', (socket, request) => {
    raw.push(request.socket);
    socket.on('message', (data: Buffer) => {
      onCommand(socket, JSON.parse(data.toString('utf8')));
    });
  });
  await once(server, 'listening');
  const at = server.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  return `ws://user:hunter2222@127.0.0.1:${port}/devtools/browser/of-nobody`;
}
