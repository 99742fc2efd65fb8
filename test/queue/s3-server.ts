import { randomUUID } from 'node:crypto';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import accounts from '@20minutes/s3rver/lib/models/account.js';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

/** A real S3 server on a port of its own, with one bucket, which can be ended and started again. */
export interface S3Server {
  variables: Record<string, string>;
  folder: string;
  revoke: () => void;
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

export const BUCKET = 'evidence';
/** As long as a secret must be; and keys of AWS have such characters, too. */
export const KEY = 'hush/4711+hush=0815';

/** Starts it for the running test. */
export async function startS3(): Promise<S3Server> {
  const id = `TEST${randomUUID()}`;
  accounts.DUMMY_ACCOUNT.createKeyPair(id, KEY);
  const revoke = (): void => accounts.DUMMY_ACCOUNT.revokeAccessKey(id);
  onTestFinished(revoke);
  const folder = await temporaryFolder();
  let port = 0;
  let running: S3rver | null = null;
  const start = async (): Promise<void> => {
    const on = { address: '127.0.0.1', port, vhostBuckets: false };
    running = new S3rver({ ...on, directory: folder, silent: true, configureBuckets: [{ name: BUCKET }] });
    ({ port } = await running.run());
  };
  const stop = async (): Promise<void> => {
    const server = running?.httpServer;
    running = null;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await start();
  onTestFinished(stop);
  const variables = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: KEY,
  };
  return { variables, folder: path.join(folder, BUCKET), revoke, stop, start };
}
