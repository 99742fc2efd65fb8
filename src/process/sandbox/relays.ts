import net from 'node:net';
import path from 'node:path';
import { makeFolder, removeFolder } from '../own-folder.ts';

/** The first lines of both relays. Plain JavaScript in a string, since none of our files is in reach in a sandbox. */
const IN_SANDBOX = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const join = (one, other) => {
  for (const [from, to] of [[one, other], [other, one]]) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
};
const run = (program, args) => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code) => process.exit(code ?? 128));
};`;

/** A way to the gateway for a process that has no network: a socket in the file system. */
interface GatewaySocket {
  folder: string;
  close(): Promise<void>;
}

const GATEWAY_SOCKET = 'gateway.sock';

/**
 * Runs before a command in its empty network: it listens where the command expects the gateway, and leads to the socket.
 */
const GATEWAY_RELAY = `${IN_SANDBOX}
const [port, socket, program, ...args] = process.argv.slice(1);
net.createServer((client) => {
  const gateway = net.connect(socket);
  join(client, gateway);
}).listen(Number(port), '127.0.0.1', () => { run(program, args); });
`;

/** The command line of a program behind the relay, where the socket's folder is at `folder`. */
export function behindRelay(cdpUrl: string, folder: string, commandLine: readonly string[]): string[] {
  return [
    process.execPath,
    '-e',
    GATEWAY_RELAY,
    '--',
    new URL(cdpUrl).port,
    path.join(folder, GATEWAY_SOCKET),
    ...commandLine,
  ];
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
  await listening(server, path.join(folder, GATEWAY_SOCKET));
  return {
    folder,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A way to the server of a program with its own network: connections that it opened to us, which we use one by one. */
interface WayIntoSandbox {
  /** The folder of the socket that it finds us by; it needs no more than to read it. */
  folder: string;
  /** Leads to its server, each connection to one of its own. */
  socketPath: string;
  close(): Promise<void>;
}

type Give = (socket: net.Socket) => void;

const WAY_IN_SOCKET = 'way-in.sock';
const SERVER_SOCKET = 'server.sock';
/** Connections that stand ready: a page asks for a few things at once. */
const READY = 8;
/** Most connections that are kept for use: the program may open as many as it likes. */
const MAX_READY = 64;

/**
 * Runs before a server in its empty network. It does not listen where we would have to follow a path that
 * the server could change: it calls us, and what we send on a connection goes on to the server.
 */
const WAY_IN_RELAY = `${IN_SANDBOX}
const [port, socket, ready, program, ...args] = process.argv.slice(1);
const wait = () => {
  let isUsed = false;
  const us = net.connect({ path: socket, allowHalfOpen: true });
  us.once('data', (first) => {
    isUsed = true;
    wait();
    const server = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    server.write(first);
    join(us, server);
  });
  us.on('error', () => {});
  us.on('end', () => us.end());
  us.on('close', () => { if (!isUsed) setTimeout(wait, 20); });
};
for (let count = 0; count < Number(ready); count += 1) wait();
run(program, args);
`;

/** The command line of a server behind the relay, where the socket's folder is at `folder`. */
export function behindWayIn(port: number, folder: string, commandLine: readonly string[]): string[] {
  return [
    process.execPath,
    '-e',
    WAY_IN_RELAY,
    '--',
    String(port),
    path.join(folder, WAY_IN_SOCKET),
    String(READY),
    ...commandLine,
  ];
}

/** Waits in its own folder for calls from a sandbox. */
export async function openSandboxWay(): Promise<WayIntoSandbox> {
  const folder = makeFolder('gateway');
  const outer = makeFolder('gateway');
  const ready: net.Socket[] = [];
  const wanted: Give[] = [];
  const open = new Set<net.Socket>();
  let closing: Promise<void> | null = null;
  const held = (socket: net.Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  };
  const inner = net.createServer((socket) => {
    const next = wanted.shift();
    if (next === undefined && ready.length >= MAX_READY) {
      socket.on('error', () => {}).destroy();
      return;
    }
    held(socket);
    socket.once('close', () => {
      const at = ready.indexOf(socket);
      if (at >= 0) ready.splice(at, 1);
    });
    if (next === undefined) ready.push(socket);
    else next(socket);
  });
  const clients = net.createServer((client) => {
    held(client);
    const join = (socket: net.Socket): void => {
      if (client.destroyed) socket.destroy();
      client.once('close', () => socket.destroy());
      socket.once('error', () => client.destroy());
      client.pipe(socket).pipe(client);
    };
    const socket = ready.shift();
    if (socket === undefined) wanted.push(join);
    else join(socket);
  });
  await listening(inner, path.join(folder, WAY_IN_SOCKET));
  await listening(clients, path.join(outer, SERVER_SOCKET));
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await Promise.all([inner, clients].map((server) => new Promise((resolve) => server.close(resolve))));
    for (const each of [folder, outer]) removeFolder(each);
  };
  return { folder, socketPath: path.join(outer, SERVER_SOCKET), close: () => (closing ??= close()) };
}

async function listening(server: net.Server, at: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at, resolve);
  });
}
