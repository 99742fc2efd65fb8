import { messageOf } from '../contract/message-of.ts';
import { z } from 'zod';
import { CdpConnection } from './cdp.ts';
import { discoveryOf, type EndpointAddress, endpointAddress, webSocketOf } from './endpoint-address.ts';
import { fact } from '../messages/messages.ts';
import { BrowserError, isEndpointFault } from './error.ts';
import { identityOf, type JudgedBrowser } from './judged-browser.ts';
import { Observer } from './observer.ts';
import { PlaywrightConnection } from './playwright-connection.ts';
import { type SwitchboardLimits, Switchboard } from './switchboard.ts';
import { type SocketWire, socketWire } from './wire.ts';

const TIMEOUT_MS = 10_000;

const MAX_VERSION_BYTES = 64 * 1024;
/** Above the targets of a browser whose owner never closes a tab, and the commands that the judge sends to all of them. */
const LIMITS: SwitchboardLimits = { sessions: 10_000, pending: 50_000 };

/** Chromium reports its name and the commit that it was built from. */
const Itself = z.looseObject({ product: z.string().regex(/^[^/]+\/\d/), revision: z.string() });
const Version = z.looseObject({ webSocketDebuggerUrl: z.url({ protocol: /^wss?$/ }) });

/**
 * Connects to a browser that was started with a debugging port. Only what we open in it is ours: it is
 * neither closed nor ended.
 * @param text `http://127.0.0.1:<port>`, or the WebSocket address of the browser itself; `https:` and `wss:` too
 * @param timeoutMs time limit for its reply to /json/version, in ms
 * @throws BrowserError `endpoint_…` when no Chromium answers there. No message holds a credential of the address.
 */
export async function attachBrowser(text: string, timeoutMs = TIMEOUT_MS): Promise<JudgedBrowser> {
  const address = endpointAddress(text);
  const wire = await wireTo(address, timeoutMs);
  const switchboard = new Switchboard(wire, LIMITS);
  const cdp = new CdpConnection(switchboard.judge, LIMITS.pending);
  const playwright = new PlaywrightConnection(switchboard, TIMEOUT_MS);
  try {
    const { product, revision: build } = await itself(cdp, address);
    const observer = await Observer.attach(cdp, { isOurs: false, hasUser: true });
    const isFit = (): boolean => !cdp.isClosed && !playwright.isLost;
    return {
      identity: { ...identityOf(product), build, ours: false, sandbox: null },
      observer,
      playwright: () => playwright.open(),
      switchboard,
      uid: null,
      forwardTo: null,
      layFiles: null,
      backgroundRequests: () => ({}),
      ended: wire.ended,
      isRunning: () => !cdp.isClosed,
      isFit,
      fault: () => cdp.fault,
      condition: async () => {
        if (isFit()) return 'fit';
        return (await answers(address)) ? 'cut_off' : 'ended';
      },
      close: async () => {
        await playwright.close().catch(() => {});
        cdp.close();
      },
    };
  } catch (error) {
    cdp.close();
    throw error instanceof BrowserError && isEndpointFault(error) ? error : noBrowser(address, messageOf(error), error);
  }
}

/** @throws BrowserError if it is not Chromium: Node speaks the protocol too. */
async function itself(cdp: CdpConnection, address: EndpointAddress): Promise<z.output<typeof Itself>> {
  try {
    const { success, data } = Itself.safeParse(await cdp.send('Browser.getVersion'));
    if (success) return data;
  } catch (error) {
    if (!(error instanceof BrowserError) || error.code !== 'browser_refuses') throw error;
    throw noChromium(address, messageOf(error), error);
  }
  throw noChromium(address, 'it does not name itself as a browser', null);
}

async function webSocketAt(address: EndpointAddress, timeoutMs: number): Promise<URL> {
  if (address.url.protocol.startsWith('ws')) return address.url;
  const { address: asked, headers } = discoveryOf(address);
  // A redirect would take the credentials of the address elsewhere.
  const options: RequestInit = { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) };
  const reply = await reached(address, async () => fetch(asked, options));
  if (!reply.ok) throw noBrowser(address, `its reply to /json/version is HTTP ${reply.status}`, null);
  const text = await reached(address, async () => versionIn(reply, address));
  try {
    return webSocketOf(address, Version.parse(JSON.parse(text)).webSocketDebuggerUrl);
  } catch (error) {
    throw noChromium(address, 'its /json/version names no WebSocket of a browser', error);
  }
}

/** Reads no more than such a reply may hold, however much is sent. */
async function versionIn({ body }: Response, address: EndpointAddress): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_VERSION_BYTES) {
      throw noChromium(address, `its reply to /json/version is longer than ${MAX_VERSION_BYTES} bytes`, null);
    }
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function wireTo(address: EndpointAddress, timeoutMs = TIMEOUT_MS): Promise<SocketWire> {
  const endpoint = await webSocketAt(address, timeoutMs);
  return await reached(address, async () => socketWire(endpoint.href, timeoutMs, address.shown));
}

/** @throws BrowserError with the reason why nothing was reached, without the address, which a library's error may hold */
async function reached<T>(address: EndpointAddress, reach: () => Promise<T>): Promise<T> {
  try {
    return await reach();
  } catch (error) {
    if (error instanceof BrowserError) throw error;
    throw noBrowser(address, whyOf(error), error);
  }
}

/** The underlying failure: a library may report only that its own part failed. */
function whyOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(whyOf))].join(', ');
  if (!(error instanceof Error) || error.cause === undefined) return messageOf(error);
  return whyOf(error.cause);
}

async function answers(address: EndpointAddress): Promise<boolean> {
  try {
    (await wireTo(address)).end();
    return true;
  } catch {
    return false;
  }
}

function noBrowser(address: EndpointAddress, why: string, cause: unknown): BrowserError {
  return new BrowserError(fact('endpoint_unreachable', { shown: address.shown, why }), cause ?? undefined);
}

function noChromium({ shown }: EndpointAddress, why: string, cause: unknown): BrowserError {
  return new BrowserError(fact('endpoint_not_chromium', { shown, why }), cause ?? undefined);
}
