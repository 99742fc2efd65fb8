import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerLink } from '../mcp/mcp-session.ts';
import { fetchThrough } from './proxied-fetch.ts';

/** The way to an app's own server: HTTP, through the proxy of the world. */
export class HttpLink extends StreamableHTTPClientTransport implements ServerLink {
  /** Its folders are none of ours. */
  readonly home = null;
  readonly said = '';

  constructor({ url, proxy }: { url: string; proxy: string }) {
    super(new URL(url), { fetch: fetchThrough(proxy) });
  }
}
