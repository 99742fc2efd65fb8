import { isThisMachine } from '../contract/this-machine.ts';

export interface Endpoint {
  /** The base to which the paths of the API are appended. */
  url: string;
  host: string;
  /** `provider`: the vendor's own; `mock`: on this machine; `custom`: any other. */
  kind: 'provider' | 'custom' | 'mock';
}

/** The address of a vendor's own API, and the prefix of its paths. */
export interface Home {
  origin: string;
  base: '' | '/v1' | '/v1beta';
}

/**
 * The endpoint of a base URL, with or without the vendor's `/v1` at its end; without a URL, the vendor's own. One on this machine counts as a
 * mock.
 * @param home null without a vendor: the URL is taken as it is
 * @returns null when it is not an http(s) URL, or holds a name and password, or there is neither URL nor vendor
 */
export function endpointAt(baseUrl: string | undefined, home: Home | null): Endpoint | null {
  const own = home === null ? null : ownEndpoint(home);
  if (baseUrl === undefined || baseUrl === '') return own;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return null;
  const whole = `${url.origin}${pathAt(url, home)}`;
  if (own !== null && whole === own.url) return own;
  return { url: whole, host: url.host, kind: isThisMachine(url.hostname) ? 'mock' : 'custom' };
}

function ownEndpoint({ origin, base }: Home): Endpoint {
  return { url: `${origin}${base}`, host: new URL(origin).host, kind: 'provider' };
}

function pathAt({ pathname }: URL, home: Home | null): string {
  const path = pathname.replace(/\/+$/, '');
  return home === null ? path : `${path.replace(/\/v1(?:beta)?$/, '')}${home.base}`;
}

/** The model's id in rows: behind another endpoint it is not the vendor's. Without the port, which may change. */
export function modelIdAt(id: string, { kind, url }: Endpoint): string {
  return kind === 'provider' ? id : `custom:${id}@${new URL(url).hostname}`;
}
