import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../contract/message-of.ts';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';
import { mediaTypeOf } from '../static-site.ts';
import { MAX_BODY_BYTES } from './archive.ts';
import type { Har, HarEntry } from './har.ts';
import { harEntry, type BodyStore } from './write-archive.ts';

/** They were not recorded, and the same files must give the same archive. */
const NO_TIME = new Date('1980-01-01T00:00:00Z');
/** No task has an id with a space. */
const PAGE = 'stand-in pages';

/**
 * The index of stand-in pages: the files in `<folder>/<host>/…` as the answers of `https://<host>/…`, with any query;
 * `index.html` also answers for its folder.
 * @throws WorldError when the folder holds no host, or something else.
 */
export async function packFacsimile(folder: string, bodies: BodyStore, version: string): Promise<Har> {
  const entries: HarEntry[] = [];
  for (const host of await hostsIn(folder)) {
    for (const name of await filesBelow(path.join(folder, host))) {
      const bytes = await readFile(path.join(folder, host, name));
      if (bytes.length > MAX_BODY_BYTES) throw unfit(folder, `${host}/${name} has more than ${MAX_BODY_BYTES} bytes`);
      const body = { name: await bodies.put(bytes), size: bytes.length, type: mediaTypeOf(name, bytes), digest: null };
      for (const url of addressesOf(host, name)) {
        const response = {
          status: 200,
          statusText: 'OK',
          headers: [{ name: 'content-type', value: body.type }],
          body: body.size === 0 ? null : body,
        };
        const request = { method: 'GET', url, headers: [], body: null };
        const exchange = { page: PAGE, startedAt: NO_TIME, time: 0, request, response, address: null };
        entries.push({ ...harEntry(exchange), _any_query: true });
      }
    }
  }
  const page = { startedDateTime: NO_TIME.toISOString(), id: PAGE, title: PAGE, pageTimings: {} };
  return {
    log: {
      version: '1.2',
      creator: { name: 'Touchstone', version },
      pages: [page],
      entries: entries.toSorted((a, b) => (a.request.url < b.request.url ? -1 : 1)),
      _touchstone: { schema_version: 1, provenance: { kind: 'facsimile' }, not_recorded: [] },
    },
  };
}

async function hostsIn(folder: string): Promise<string[]> {
  const places = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unfit(folder, messageOf(error), error);
  });
  const hosts = places.filter((place) => !place.name.startsWith('.'));
  if (hosts.length === 0) throw unfit(folder, 'it is empty');
  const strange = hosts.find((host) => !host.isDirectory() || !isHost(host.name));
  if (strange !== undefined)
    throw unfit(folder, `${JSON.stringify(strange.name)} in it is not a folder named after a host`);
  return hosts.map(({ name }) => name).toSorted();
}

function isHost(name: string): boolean {
  return URL.canParse(`https://${name}`) && new URL(`https://${name}`).host === name;
}

/** The files below a folder, by their paths with `/`, sorted. Links and hidden files are left out. */
async function filesBelow(folder: string): Promise<string[]> {
  const places = await readdir(folder, { recursive: true, withFileTypes: true });
  return places
    .filter((place) => place.isFile())
    .map((place) => path.relative(folder, path.join(place.parentPath, place.name)).split(path.sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
    .toSorted();
}

function addressesOf(host: string, name: string): string[] {
  const address = (place: string): string => {
    const url = new URL(`https://${host}`);
    url.pathname = place.replaceAll('%', '%25').replaceAll('?', '%3F').replaceAll('#', '%23');
    return url.href;
  };
  const own = address(name);
  return path.posix.basename(name) === 'index.html' ? [address(name.slice(0, -'index.html'.length)), own] : [own];
}

function unfit(folder: string, why: string, cause?: unknown): WorldError {
  return new WorldError(fact('pages_cannot_be_packed', { folder, why }), cause);
}
