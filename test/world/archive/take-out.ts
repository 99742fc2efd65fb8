import { rename } from 'node:fs/promises';
import path from 'node:path';
import { Archive } from '../../../src/world/archive/archive.ts';
import type { HarEntry } from '../../../src/world/archive/har.ts';
import { BodyStore, bodiesOf, writeArchive } from '../../../src/world/archive/write-archive.ts';

export async function takeOut(file: string, isOut: (entry: HarEntry) => boolean): Promise<void> {
  await using bodies = await BodyStore.create();
  const archive = await Archive.open(file);
  const entries = ((await archive.writtenEntries()) ?? []).filter((entry) => !isOut(entry));
  for (const name of entries.flatMap(bodiesOf)) await bodies.put(await archive.bodyNamed(name));
  const { provenance } = archive;
  archive.close();
  const touchstone = { schema_version: 1 as const, provenance, not_recorded: [] };
  const creator = { name: 'Touchstone', version: '0.0.0' };
  const left = path.join(path.dirname(file), 'left.zip');
  await writeArchive(left, { log: { version: '1.2', creator, pages: [], entries, _touchstone: touchstone } }, bodies);
  await rename(left, file);
}
