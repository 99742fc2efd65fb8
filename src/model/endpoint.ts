import { isThisMachine } from '../contract/this-machine.ts';

/** Where a model is asked. */
export interface Endpoint {
  /** The base to which the paths of the API are appended. */
  url: string;
  /** As rows name it: host, and port where there is one. */
  host: string;
  /** `provider`: the vendor's own; `mock`: on this machine; `custom`: any other. */
  kind: 'provider' | 'custom' | 'mock';
}

/** Where a vendor's own API is: an origin, and what stands before its paths (`/v1`). */
export interface Home {
  origin: string;
  base: '' | '/v1' | '/v1beta';
}

/**
 * The endpoint that a base URL names, with or without the vendor's `/v1` at its end; without one the vendor's own. What
 * answers on this machine counts as a fake, since it cannot be told from one.
 * @param home null without a vendor: the URL is taken as it is
 * @returns null when it is no http(s) URL, or holds a name and password; and when there is neither URL nor vendor.
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

/** The model as in rows. Behind another endpoint it is not the vendor's. Without the port, which changes. */
export function modelIdAt(id: string, { kind, url }: Endpoint): string {
  return kind === 'provider' ? id : `custom:${id}@${new URL(url).hostname}`;
}
