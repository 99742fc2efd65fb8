import http, {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';
import dns from 'node:dns';
import net, { isIP } from 'node:net';
import { messageOf } from '../../contract/message-of.ts';
import { OutsideError, type OriginHandler } from '../answer.ts';
import { upstreamResponse } from '../backend.ts';
import type { AskWebSocket } from '../web-socket.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import { missing } from '../../contract/evidence.ts';
import type { TlsIdentity } from '../tls-identity.ts';
import { openWorldProxy, type WorldHere } from '../world-proxy.ts';

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

/** The web as it is now. Certificates are checked as Node does, redirects and encodings are left to the caller. */
export class LiveWeb {
  readonly #connectTo: ReadonlyMap<string, ConnectTo>;
  readonly #agents = { 'http:': new http.Agent(CONNECTIONS), 'https:': new https.Agent(CONNECTIONS) };

  constructor(connectTo: readonly ConnectTo[] = []) {
    this.#connectTo = new Map(connectTo.map((each) => [each.target, each]));
  }

  /**
   * Has the site answer; its body streams.
   * @throws OutsideError when the address is one of this machine; Error without an answer.
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

  /** As {@link ask}; without an answer, a 502. */
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

// Addresses of this machine and of its link, which no page of the public web has any business with.
const OWN = new net.BlockList();
OWN.addSubnet('0.0.0.0', 8);
OWN.addSubnet('127.0.0.0', 8);
OWN.addSubnet('169.254.0.0', 16);
OWN.addAddress('::', 'ipv6');
OWN.addAddress('::1', 'ipv6');
OWN.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address names its host by an address of this machine. */
function isOwnLiteral({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = net.isIP(address);
  return family !== 0 && isOwn(address, family);
}

/** Resolves names as usual, and fails for a name of this machine. The address that was checked is the one connected to. */
const lookupElsewhere: net.LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, '');
      return;
    }
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address, family }) => isOwn(address, family))) {
      callback(new OutsideError(hostname), '');
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function isOwn(address: string, family: number): boolean {
  return OWN.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Another place to connect to than the one that an address names. The name stays the same in the request and its TLS. */
interface ConnectTo {
  /** `host:port` of the address. */
  target: string;
  host: string;
  port: number;
}

/** As in curl's `--connect-to`: `host:port:other-host:other-port`; an IPv6 address is in brackets. */
const FORM = /^([^\s:[\]]+):(\d{1,5}):(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):(\d{1,5})$/;

/** @throws WorldError when the text is not of that form. */
export function parseConnectTo(text: string): ConnectTo {
  const [, host, port, otherHost, otherPort] = FORM.exec(text) ?? [];
  if (host === undefined || otherHost === undefined || Number(port) > 65_535 || Number(otherPort) > 65_535) {
    throw new WorldError(fact('connection_not_understood', { text }));
  }
  return { target: `${host}:${port}`, host: otherHost.replace(/^\[|\]$/g, ''), port: Number(otherPort) };
}

interface LiveWorldOptions {
  identity: TlsIdentity;
  /** The caller closes it. */
  web: LiveWeb;
  /** Answers instead of the web, and may ask it: the place of a recorder. */
  answer?: OriginHandler;
}

/** The whole web as it is now. */
export async function startLiveWorld({ identity, web, answer }: LiveWorldOptions): Promise<WorldHere> {
  const way = await openWorldProxy({
    handlerOf: () => answer ?? ((request) => web.answer(request)),
    webSocketsOf: (origin) => web.webSocketsOf(origin),
    identity,
  });
  return {
    ...way,
    state: () => Promise.resolve(missing('the live web has no app that keeps a state')),
    offArchive: () => null,
  };
}
