import { missing } from '../../contract/evidence.ts';
import type { TlsIdentity } from '../tls-identity.ts';
import { openWayIn } from '../way-in.ts';
import type { World } from '../world.ts';
import type { Archive } from './archive.ts';
import { type ArchiveIndex, Replay } from './matcher.ts';
import { recordedResponse } from './recorded-response.ts';
import { bodyDigest } from './request-key.ts';

export interface ArchiveWorldOptions {
  /** Stays open for as long as the world. */
  archive: Archive;
  index: ArchiveIndex;
  /** The name of the task that the episode is on. */
  task: string;
  identity: TlsIdentity;
}

/**
 * The web as it was recorded: every address is answered from the archive or, by a 504 that names what was asked for, not
 * at all. Nothing leaves the machine.
 */
export async function startArchiveWorld({ archive, index, task, identity }: ArchiveWorldOptions): Promise<World> {
  const replay = new Replay(index, task);
  let misses = 0;
  const answer = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    const body = new Uint8Array(await request.arrayBuffer());
    const exchange = replay.next({ method, url, digest: bodyDigest(body, headers.get('content-type')) });
    if (exchange !== null) {
      try {
        return recordedResponse(request, exchange, await archive.body(exchange));
      } catch (error) {
        misses += 1;
        throw error;
      }
    }
    misses += 1;
    return new Response(`not in the archive: ${method} ${url}`, { status: 504 });
  };
  const way = await openWayIn({ handlerOf: () => answer, webSocketsOf: () => null, identity });
  return {
    ...way,
    state: () => Promise.resolve(missing('an archive has no app that keeps a state')),
    offArchive: () => misses,
  };
}
