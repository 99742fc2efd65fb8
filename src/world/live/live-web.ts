import http, {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { messageOf } from '../../contract/message-of.ts';
import { OutsideError } from '../answer.ts';
import { upstreamResponse } from '../upstream-response.ts';
import type { AskWebSocket } from '../web-socket.ts';
import type { ConnectTo } from './connect-to.ts';
import { isOwnLiteral, lookupElsewhere } from './own-addresses.ts';

// A browser asks us over one connection for what would be many; a site is not to be flooded with them.
const CONNECTIONS = { keepAlive: true, maxSockets: 32 };
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** A response of the web, and which address gave it. */
export interface LiveReply {
  response: Response;
  statusText: string;
  address: string | null;
}

type LiveRequestOptions = Pick<RequestOptions, 'method' | 'agent'> & { headers: OutgoingHttpHeaders };

/** The web as it is now. Certificates are checked as Node does, redirects and encodings are left to whoever asks. */
export class LiveWeb {
  readonly #connectTo: ReadonlyMap<string, ConnectTo>;
  readonly #agents = { 'http:': new http.Agent(CONNECTIONS), 'https:': new https.Agent(CONNECTIONS) };

  constructor(connectTo: readonly ConnectTo[] = []) {
    this.#connectTo = new Map(connectTo.map((each) => [each.target, each]));
  }

  /**
   * Has the site answer; its body streams.
   * @throws OutsideError when the address is one of this machine; Error when there is no answer.
   */
  async ask(request: Request): Promise<LiveReply> {
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const length = body === null ? {} : { 'content-length': String(body.byteLength) };
    const headers = { ...Object.fromEntries(request.headers), ...length };
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      this.request(new URL(request.url), { method: request.method, headers })
        .once('response', resolve)
        .once('error', reject)
        .end(body ?? undefined);
    });
    return {
      response: upstreamResponse(reply),
      statusText: reply.statusMessage ?? '',
      address: reply.socket.remoteAddress ?? null,
    };
  }

  /** As {@link ask}; what does not answer is told of by a 502. */
  async answer(request: Request): Promise<Response> {
    try {
      return (await this.ask(request)).response;
    } catch (error) {
      if (error instanceof OutsideError) throw error;
      return unanswered(request, error);
    }
  }

  /** A request to a site that is yet to be ended. */
  request(url: URL, options: LiveRequestOptions): ClientRequest {
    if (this.#isOwn(url)) throw new OutsideError(url.host);
    const other = this.#otherPlaceOf(url);
    const place = other === undefined ? { lookup: lookupElsewhere } : { hostname: other.host, port: other.port };
    const named = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: url.hostname } : {};
    const headers = { ...options.headers, host: url.host };
    return url.protocol === 'https:'
      ? https.request(url, { agent: this.#agents['https:'], ...options, ...place, ...named, headers })
      : http.request(url, { agent: this.#agents['http:'], ...options, ...place, headers });
  }

  /** Where the WebSockets of an origin are passed to; null when its address is one of this machine. */
  webSocketsOf(origin: string): AskWebSocket | null {
    const url = new URL(origin);
    if (this.#isOwn(url)) return null;
    return (path, headers) => this.request(new URL(path, url), { headers, agent: false });
  }

  #isOwn(url: URL): boolean {
    return this.#otherPlaceOf(url) === undefined && isOwnLiteral(url);
  }

  #otherPlaceOf(url: URL): ConnectTo | undefined {
    const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port;
    return this.#connectTo.get(`${url.hostname}:${port}`);
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** Make the response that a browser gets for a site that did not answer. */
export function unanswered({ method, url }: Request, error: unknown): Response {
  return new Response(`the web did not answer: ${method} ${url} (${messageOf(error)})`, { status: 502 });
}
