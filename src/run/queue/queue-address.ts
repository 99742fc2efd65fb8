import { QueueError } from './queue-error.ts';

/** Where a queue is, and as whom it is spoken to. */
export interface QueueAddress {
  host: string;
  port: number;
  db: number;
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** The address without who speaks to it, to be printed. */
  shown: string;
}

/** Variables that say as whom, so that no list of processes shows a password. They go before what stands in the address. */
const USER = 'TOUCHSTONE_QUEUE_USER';
const PASSWORD = 'TOUCHSTONE_QUEUE_PASSWORD';

const EXAMPLE = 'write it as redis://127.0.0.1:6379, or rediss://host:6380/0 with TLS';

/**
 * Reads `redis://` and `rediss://` addresses.
 * @throws QueueError `bad_address`; its message never holds the password
 */
export function queueAddress(text: string, env: Readonly<Record<string, string | undefined>>): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw new QueueError('bad_address', '--queue is not the address of a Redis', EXAMPLE);
  }
  const db = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (db === undefined || url.search !== '' || url.hash !== '') {
    throw new QueueError('bad_address', '--queue has more behind its port than the number of a database', EXAMPLE);
  }
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
    const remedy = `escape what is no letter or digit in it, or set ${USER} and ${PASSWORD}`;
    throw new QueueError('bad_address', '--queue has a user or a password that is not escaped as it must be', remedy);
  }
}
