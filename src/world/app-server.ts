import type { RequestOptions } from 'node:http';

/** A server of an app: at a port of loopback, or in a network of its own, to which these connections lead. */
export type AppServer = { port: number } | { createConnection: NonNullable<RequestOptions['createConnection']> };

/** The options by which Node's `http.request` asks it, each time on a connection of its own. */
export function atServer(server: AppServer): RequestOptions {
  return 'port' in server ? { host: '127.0.0.1', port: server.port, agent: false } : { host: '127.0.0.1', ...server };
}
