import { messageOf } from '../contract/message-of.ts';
import { z } from 'zod';
import { CdpConnection } from './cdp.ts';
import { BrowserError } from './error.ts';
import { identityOf, type JudgedBrowser } from './judged-browser.ts';
import { Observer } from './observer.ts';
import { PlaywrightConnection } from './playwright-connection.ts';
import { Switchboard } from './switchboard.ts';
import { type SocketWire, socketWire } from './wire.ts';

/** Time that the browser may take to answer, in ms. */
const TIMEOUT_MS = 10_000;

/** Hosts that are this machine: what runs elsewhere cannot come to the worlds, which are served on loopback. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const Version = z.looseObject({ webSocketDebuggerUrl: z.url({ protocol: /^wss?$/ }) });

/**
 * Connects to a browser that somebody else has started with a debugging port. Nothing in it is ours but what we open: it is
 * neither closed nor ended.
 * @param address `http://127.0.0.1:<port>`, or the WebSocket address of the browser itself
 * @throws BrowserError `no_endpoint` when no browser answers there.
 */
export async function attachBrowser(address: string): Promise<JudgedBrowser> {
  const endpoint = await endpointAt(address);
  const wire = await wireTo(endpoint, address);
  const switchboard = new Switchboard(wire);
  const cdp = new CdpConnection(switchboard.judge);
  const playwright = new PlaywrightConnection(switchboard, TIMEOUT_MS);
  try {
    const { product, revision: build } = await cdp.send('Browser.getVersion');
    const observer = await Observer.attach(cdp, false);
    const isFit = (): boolean => !cdp.isClosed && !playwright.isLost;
    return {
      identity: { ...identityOf(product), build, ours: false, sandbox: null },
      observer,
      playwright: () => playwright.open(),
      switchboard,
      uid: null,
      leadTo: null,
      backgroundRequests: () => ({}),
      ended: wire.ended,
      isRunning: () => !cdp.isClosed,
      isFit,
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
    throw noBrowser(address, messageOf(error), error);
  }
}

/** The WebSocket address of the browser itself. */
async function endpointAt(address: string): Promise<string> {
  const { protocol, hostname, host, href } = new URL(address);
  if (!LOOPBACK.test(hostname)) {
    const why = 'the worlds of tasks are served on this machine alone, and a browser elsewhere cannot reach them';
    throw new BrowserError('no_endpoint', `${address} is another machine: ${why}`, 'run Touchstone beside the browser');
  }
  if (protocol === 'ws:' || protocol === 'wss:') return href;
  try {
    const reply = await fetch(new URL('/json/version', address), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const named = new URL(Version.parse(await reply.json()).webSocketDebuggerUrl);
    // A browser behind a forwarded port names itself by a port that is not ours to reach.
    named.host = host;
    return named.href;
  } catch (error) {
    throw noBrowser(address, messageOf(error), error);
  }
}

async function wireTo(endpoint: string, address: string): Promise<SocketWire> {
  try {
    return await socketWire(endpoint, TIMEOUT_MS);
  } catch (error) {
    throw noBrowser(address, messageOf(error), error);
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    (await socketWire(await endpointAt(address), TIMEOUT_MS)).end();
    return true;
  } catch {
    return false;
  }
}

function noBrowser(address: string, why: string, cause: unknown): BrowserError {
  const remedy =
    'start the browser with --remote-debugging-port=9222 and a --user-data-dir of its own, and name http://127.0.0.1:9222';
  return new BrowserError('no_endpoint', `no browser answers at ${address}: ${why}`, remedy, cause);
}
