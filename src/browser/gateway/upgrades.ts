import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Budget } from '../../process/budget.ts';
import { MAX_SCRIPT_BYTES } from './connection.ts';

/** Cost of a request or of a client, in bytes of the budget: the browser opens a session for each client. */
export const REQUEST_COST = 64 * 1024;
const CONNECTION_COST = 4 * 1024;

interface UpgradeOptions<Target> {
  budget: Budget;
  /** Returns the target that a request asks for; null refuses it. */
  targetOf: (request: http.IncomingMessage) => Target | null;
  connect: (client: WebSocket, socket: Duplex, target: Target) => void;
}

/** Accepts the WebSocket clients of a server while the budget has room for them; the others wait. */
export function acceptUpgrades<Target>(
  server: http.Server,
  { budget, targetOf, connect }: UpgradeOptions<Target>,
): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_SCRIPT_BYTES });
  server.on('connection', () => {
    budget.spend(CONNECTION_COST);
  });
  const accept = async (request: http.IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => socket.destroy());
    await budget.room();
    budget.spend(REQUEST_COST);
    const target = targetOf(request);
    if (target === null) refuse(socket);
    else
      sockets.handleUpgrade(request, socket, head, (client) => {
        connect(client, socket, target);
      });
  };
  server.on('upgrade', (request, socket, head) => void accept(request, socket, head));
}

/** Refuses and disconnects: a client that kept the connection open would keep the gateway from closing. */
function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
}
