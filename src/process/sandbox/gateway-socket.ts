import net from 'node:net';
import path from 'node:path';

/** A way to the gateway for a process that has no network: a socket in the file system. */
export interface GatewaySocket {
  folder: string;
  close(): Promise<void>;
}

const NAME = 'gateway.sock';

/**
 * The program that stands before a command in its empty network: it listens where the command expects the gateway, and
 * leads to the socket. Plain JavaScript in a string, since none of our files is in reach there.
 */
const RELAY = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const [port, socket, program, ...args] = process.argv.slice(1);
net.createServer((client) => {
  const gateway = net.connect(socket);
  for (const [from, to] of [[client, gateway], [gateway, client]]) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}).listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code) => process.exit(code ?? 128));
});
`;

/** The command line of a program behind the relay, where the socket's folder is at `folder`. */
export function behindRelay(cdpUrl: string, folder: string, commandLine: readonly string[]): string[] {
  return [process.execPath, '-e', RELAY, '--', new URL(cdpUrl).port, path.join(folder, NAME), ...commandLine];
}

/** Listens in a folder, and leads to the gateway. */
export async function openGatewaySocket(cdpUrl: string, folder: string): Promise<GatewaySocket> {
  const { hostname, port } = new URL(cdpUrl);
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const gateway = net.connect(Number(port), hostname);
    for (const [from, to] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path.join(folder, NAME), resolve);
  });
  return {
    folder,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
