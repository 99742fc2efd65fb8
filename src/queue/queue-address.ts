import { fact } from '../messages/messages.ts';
import { QueueError } from './queue-error.ts';

export interface QueueAddress {
  host: string;
  port: number;
  db: number;
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** The address without the user, to be printed. */
  shown: string;
}

/** Variables for the user, which override the address, so that no list of processes shows a password. */
const USER = 'TOUCHSTONE_QUEUE_USER';
const PASSWORD = 'TOUCHSTONE_QUEUE_PASSWORD';

/**
 * Reads `redis://` and `rediss://` addresses.
 * @throws QueueError whose message never holds the password
 */
export function queueAddress(text: string, env: Readonly<Record<string, string | undefined>>): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw new QueueError(fact('queue_not_redis'));
  }
  const db = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (db === undefined || url.search !== '' || url.hash !== '') throw new QueueError(fact('queue_bad_database'));
  const port = url.port === '' ? 6379 : Number(url.port);
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port,
    db: Number(db),
    tls: url.protocol === 'rediss:',
    username: env[USER] ?? decoded(url.username),
    password: env[PASSWORD] ?? decoded(url.password),
    shown: `${url.protocol}//${url.hostname}:${port}${db === '' ? '' : `/${db}`}`,
  };
}

function decoded(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch {
    throw new QueueError(fact('queue_bad_escape'));
  }
}
