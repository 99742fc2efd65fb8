import { fact } from '../messages/messages.ts';
import { BrowserError } from './error.ts';

export interface EndpointAddress {
  /** With its credentials: neither printed nor written. */
  url: URL;
  /** Without user, password, path and query, each of which may be a credential: for messages. */
  shown: string;
}

const SCHEMES = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** Hosts that are this machine: a browser elsewhere cannot reach the worlds, which are served on loopback. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export const ENDPOINT_EXAMPLE = 'http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/browser/<id>';

export function isEndpointAddress(text: string): boolean {
  return URL.canParse(text) && SCHEMES.has(new URL(text).protocol) && new URL(text).hostname !== '';
}

/** @throws BrowserError `endpoint_bad` or `endpoint_elsewhere`; its message holds no credential */
export function endpointAddress(text: string): EndpointAddress {
  if (!isEndpointAddress(text)) {
    throw new BrowserError(fact('endpoint_bad'));
  }
  const url = new URL(text);
  const shown = `${url.protocol}//${url.host}`;
  if (LOOPBACK.test(url.hostname)) return { url, shown };
  throw new BrowserError(fact('endpoint_elsewhere', { shown }));
}

/** The address that names the WebSocket, and the headers to request it with: `fetch` takes no user in an address. */
export function discoveryOf({ url }: EndpointAddress): { address: URL; headers: Record<string, string> } {
  const address = new URL(url);
  address.pathname = '/json/version';
  const { username, password } = url;
  if (username === '' && password === '') return { address, headers: {} };
  address.username = '';
  address.password = '';
  const user = `${unescaped(username)}:${unescaped(password)}`;
  return { address, headers: { authorization: `Basic ${Buffer.from(user).toString('base64')}` } };
}

/**
 * The WebSocket that a browser reports, at the host and port of our own address: behind a forwarded port or TLS, the browser
 * knows neither. Both addresses have the same credentials.
 */
export function webSocketOf({ url }: EndpointAddress, named: string): URL {
  const { pathname, search } = new URL(named);
  const address = new URL(url);
  address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  address.pathname = pathname;
  if (search !== '') address.search = search;
  return address;
}

/** A part of a path that is shorter than this is a name such as `devtools`, and no credential. */
const MIN_LONG_PART = 16;
/** A shorter one could occur in ordinary text by chance. */
const MIN_SECRET = 8;

/** Lists what may be a credential in an address, and is too long to occur in ordinary text by chance. */
export function secretsIn(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, pathname, searchParams } = new URL(text);
  const parts = pathname.split('/').filter((part) => part.length >= MIN_LONG_PART);
  // With a password, the user is a mere name.
  const opening = [password === '' ? username : password, ...parts].map(unescaped);
  const all = [...opening, ...searchParams.values()];
  return [...new Set(all)].filter((part) => part.length >= MIN_SECRET);
}

/** Decodes the escapes of a URL; a text with malformed ones stays as it is. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
