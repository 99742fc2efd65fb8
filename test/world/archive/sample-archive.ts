import path from 'node:path';
import { Archive } from '../../../src/world/archive/archive.ts';
import { startArchiveWorld } from '../../../src/world/archive/archive-world.ts';
import type { Har, Header, Provenance } from '../../../src/world/archive/har.ts';
import { harEntry, type StoredBody, BodyStore, writeArchive } from '../../../src/world/archive/write-archive.ts';
import { ArchiveIndex, bodyDigest } from '../../../src/world/archive/matcher.ts';
import { createTlsIdentity, type TlsIdentity } from '../../../src/world/tls-identity.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import type { OpenWorld } from '../open-world.ts';

export interface SampleExchange {
  url: string;
  method?: string;
  sent?: string;
  page?: string;
  status?: number;
  headers?: Header[];
  body?: string | Buffer;
}

export const RECORDED: Provenance = {
  kind: 'recorded',
  started_at: '2026-01-01T00:00:00.000Z',
  ended_at: '2026-01-01T00:01:00.000Z',
  browser: 'Chromium 1.2.3',
  platform: 'linux x64',
  connect_to: [],
};

export async function sampleHar(
  exchanges: readonly SampleExchange[],
  bodies: BodyStore,
  provenance: Provenance = RECORDED,
): Promise<Har> {
  const store = async (bytes: Buffer, isRequest: boolean): Promise<StoredBody | null> => {
    if (bytes.length === 0) return null;
    const digest = isRequest ? bodyDigest(bytes, null) : null;
    return { name: await bodies.put(bytes), size: bytes.length, type: 'text/html', digest };
  };
  const entries: Har['log']['entries'] = [];
  for (const { url, method = 'GET', sent = '', page = 'a', status = 200, headers = [], body = '' } of exchanges) {
    const request = { method, url, headers: [], body: await store(Buffer.from(sent), true) };
    const response = { status, statusText: '', headers, body: await store(Buffer.from(body), false) };
    entries.push(harEntry({ page, startedAt: new Date(0), time: 1, request, response, address: null }));
  }
  const creator = { name: 'Touchstone', version: '0.0.0' };
  const touchstone = { schema_version: 1 as const, provenance, not_recorded: [] };
  return { log: { version: '1.2', creator, pages: [], entries, _touchstone: touchstone } };
}

export async function archiveFile(exchanges: readonly SampleExchange[], provenance?: Provenance): Promise<string> {
  const file = path.join(await temporaryFolder(), 'web.zip');
  await using bodies = await BodyStore.create();
  await writeArchive(file, await sampleHar(exchanges, bodies, provenance), bodies);
  return file;
}

let made: Promise<TlsIdentity> | null = null;

export async function openArchiveWorld(
  exchanges: readonly SampleExchange[],
  { task = 'a', ignoreQuery = [] as string[], identity = undefined as TlsIdentity | undefined } = {},
): Promise<OpenWorld> {
  made ??= createTlsIdentity();
  const archive = await Archive.open(await archiveFile(exchanges));
  const index = new ArchiveIndex(archive.exchanges, ignoreQuery);
  const world = await startArchiveWorld({ archive, index, task, identity: identity ?? (await made) });
  const close = async (): Promise<void> => {
    await world.close();
    archive.close();
  };
  return { ...world, close, [Symbol.asyncDispose]: close };
}
