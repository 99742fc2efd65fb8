import { missing } from '../../contract/evidence.ts';
import type { OriginHandler } from '../answer.ts';
import { ExchangeLog } from '../exchange-log.ts';
import { startProxyServer } from '../proxy-server.ts';
import type { TlsIdentity } from '../tls-identity.ts';
import type { World } from '../world.ts';
import type { LiveWeb } from './live-web.ts';

export interface LiveWorldOptions {
  identity: TlsIdentity;
  /** The caller closes it. */
  web: LiveWeb;
  /** Answers in the place of the web, and may ask it; who records stands here. */
  answer?: OriginHandler;
}

/** The whole web as it is now. */
export async function startLiveWorld({ identity, web, answer }: LiveWorldOptions): Promise<World> {
  const log = new ExchangeLog();
  const proxy = await startProxyServer({
    handlerOf: () => answer ?? ((request) => web.answer(request)),
    webSocketsOf: (origin) => web.webSocketsOf(origin),
    log,
    identity,
  });
  return {
    proxy: { server: proxy.address, bypass: '<-loopback>' },
    network: () => log.captured(),
    state: () => Promise.resolve(missing('the live web has no app that keeps a state')),
    outside: proxy.outside,
    interception: proxy.interception,
    offArchive: () => null,
    nac3: () => log.nac3.served(),
    close: proxy.close,
  };
}
