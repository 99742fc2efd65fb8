import { missing } from '../../contract/evidence.ts';
import type { OriginHandler } from '../answer.ts';
import type { TlsIdentity } from '../tls-identity.ts';
import { openWayIn } from '../way-in.ts';
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
  const way = await openWayIn({
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
