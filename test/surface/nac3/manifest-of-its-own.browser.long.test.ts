import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf } from '../../cli/bundle-files.ts';
import { touchstone } from '../../cli/touchstone.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const TASK = 'T_MCP1_cancel_oldest_pending';

test('nac3:<file> gives pages that manifest, in rows apart from those of the app’s own', async () => {
  const folder = await temporaryFolder();
  const [made, bundle] = [path.join(folder, 'made.json'), path.join(folder, 'bundle')];
  const own = await readFile('apps/invoice/manifest.json', 'utf8');
  const changed = own.replaceAll('"Cancelar {invoice}"', '"Anular {invoice}"');
  await writeFile(made, changed);
  const entrants = ['--agent', 'reference', '--surface', `nac3,nac3:${made}`];
  await touchstone('run', 'protocols', '--task', TASK, ...entrants, '--out', bundle);
  const rows = await rowsOf(bundle);
  expect(
    rows.map(({ surface, status, manifest_checksum: sum }) => ({ surface, status, sum })).toSorted(bySurface),
  ).toEqual([
    { surface: 'nac3', status: 'passed', sum: checksum(own) },
    { surface: 'nac3-made', status: 'passed', sum: checksum(changed) },
  ]);
  const shown = async (surface: string) => (await touchstone('show', bundle, `${TASK}/${surface}`)).out;
  expect(await shown('nac3-made')).toContain('Anular INV-0001');
  expect(await shown('nac3')).not.toContain('Anular INV-0001');
});

function bySurface(a: { surface: string }, b: { surface: string }): number {
  return a.surface < b.surface ? -1 : 1;
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
