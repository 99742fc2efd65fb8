/** Where a model is asked. */
export interface Endpoint {
  /** What the paths of the API are appended to. */
  url: string;
  /** As rows name it: host, and port where there is one. */
  host: string;
  /** `provider`: the vendor's own; `mock`: on this machine; `custom`: any other. */
  kind: 'provider' | 'custom' | 'mock';
}

const ANTHROPIC: Endpoint = { url: 'https://api.anthropic.com/v1', host: 'api.anthropic.com', kind: 'provider' };

/**
 * The endpoint that a base URL names, with or without the `/v1` at its end; without one the vendor's own. What answers on
 * this machine is taken for a fake: nobody can tell it from one.
 * @returns null when it is no http(s) URL, or holds a name and password.
 */
export function anthropicEndpoint(baseUrl: string | undefined): Endpoint | null {
  if (baseUrl === undefined || baseUrl === '') return ANTHROPIC;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return null;
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  const whole = `${url.origin}${path}/v1`;
  if (whole === ANTHROPIC.url) return ANTHROPIC;
  return { url: whole, host: url.host, kind: isThisMachine(url.hostname) ? 'mock' : 'custom' };
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** The model as rows name it: one that another endpoint says it is, is not the vendor's. No port, which changes. */
export function modelIdAt(id: string, { kind, url }: Endpoint): string {
  return kind === 'provider' ? id : `custom:${id}@${new URL(url).hostname}`;
}
