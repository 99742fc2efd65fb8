import { fact } from '../messages/messages.ts';
import { QueueError } from './queue-error.ts';

/** A place in a bucket, with the keys to it. */
export interface S3Address {
  bucket: string;
  /** Begins the name of each object; ends with a slash, or is empty. */
  prefix: string;
  region: string;
  keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** The place without the keys, to be printed. */
  shown: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const USUAL_REGION = 'us-east-1';
/** Most bytes of an object's name in S3, less those of a hash. */
const MAX_PREFIX_BYTES = 1_024 - 64;

export function isS3Address(text: string): boolean {
  return text.startsWith('s3://');
}

/**
 * Reads `s3://bucket/prefix`, in which nothing is escaped. The rest comes from the variables of AWS's own tools.
 * @throws QueueError whose message never holds a key
 */
export function s3Address(text: string, env: Environment): S3Address {
  const { bucket = '', rest = '' } = /^s3:\/\/(?<bucket>[^/]*)(?<rest>.*)$/s.exec(text)?.groups ?? {};
  if (!/^[a-z0-9][a-z0-9._-]{1,62}$/i.test(bucket)) throw new QueueError(fact('store_bad_bucket'));
  const prefix = prefixIn(rest);
  const endpoint = endpointIn(env);
  const region = variable('AWS_REGION', env) ?? variable('AWS_DEFAULT_REGION', env);
  if (region === undefined && endpoint === null) throw new QueueError(fact('store_no_region'));
  if (region !== undefined && !/^[a-z0-9-]{1,40}$/i.test(region)) throw new QueueError(fact('store_bad_region'));
  return {
    bucket: urlOf(bucket, endpoint ?? `s3.${region}.amazonaws.com`),
    prefix,
    region: region ?? USUAL_REGION,
    keys: keysIn(env),
    shown: `s3://${bucket}/${prefix}${endpoint === null ? '' : ` at ${endpoint.host}`}`,
  };
}

/** The bucket is a part of AWS's host if its name can be one, and otherwise the first part of the path. */
function urlOf(bucket: string, at: URL | string): string {
  if (typeof at !== 'string') return `${at.origin}${at.pathname.replace(/\/+$/, '')}/${bucket}`;
  return /^[a-z0-9-]+$/.test(bucket) ? `https://${bucket}.${at}` : `https://${at}/${bucket}`;
}

function prefixIn(rest: string): string {
  const path = rest.replaceAll(/^\/|\/+$/g, '');
  if (path === '') return '';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..' || /[\p{Cc}\p{Cs}]/u.test(part))) {
    throw new QueueError(fact('store_bad_prefix'));
  }
  if (Buffer.byteLength(path) >= MAX_PREFIX_BYTES) throw new QueueError(fact('store_long_prefix'));
  return `${path}/`;
}

function endpointIn(env: Environment): URL | null {
  for (const name of ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL']) {
    const text = variable(name, env);
    if (text === undefined) continue;
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
    if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url;
    throw new QueueError(fact('store_bad_endpoint', { variable: name }));
  }
  return null;
}

function keysIn(env: Environment): S3Address['keys'] {
  const [accessKeyId, secretAccessKey] = [keyIn('AWS_ACCESS_KEY_ID', env), keyIn('AWS_SECRET_ACCESS_KEY', env)];
  if (accessKeyId === undefined || secretAccessKey === undefined) throw new QueueError(fact('store_no_keys'));
  const sessionToken = keyIn('AWS_SESSION_TOKEN', env);
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** Refuses a key that cannot be sent, since the error of sending it would repeat it. */
function keyIn(name: string, env: Environment): string | undefined {
  const value = variable(name, env);
  if (value === undefined || /^[\x21-\x7E]+$/.test(value)) return value;
  throw new QueueError(fact('store_bad_key', { variable: name }));
}

/** As for AWS's tools, an empty variable is not set. */
function variable(name: string, env: Environment): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
