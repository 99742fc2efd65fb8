import type { Server } from 'node:net';

/**
 * The port at which a server of ours listens.
 * @throws Error when it listens at none.
 */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens at no port');
  return address.port;
}
