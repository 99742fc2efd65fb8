import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const FIXTURES = path.resolve('test/surface/mcp/fixtures');

/** By id, with the fault of each. */
const SERVERS = {
  flood: 'floods',
  silent: 'never answers',
  gone: 'crashes in a call',
  huge: 'sends what nobody holds',
  twice: 'answers twice',
  honest: 'none',
};

async function serverFile(folder: string, id: string, fault: string): Promise<string> {
  const small = await readFile(path.join(FIXTURES, 'small.yaml'), 'utf8');
  const text = small
    .replace('id: small', `id: ${id}`)
    .replace('./server.mjs', path.join(FIXTURES, 'server.mjs'))
    .replace(`args: ['{{cdpUrl}}']`, `args: ['{{cdpUrl}}', '${fault}']`);
  const file = path.join(folder, `${id}.yaml`);
  await writeFile(file, text);
  return file;
}

test('a campaign of hostile tool servers has each row, passes the honest one, and verifies', async () => {
  const folder = await temporaryFolder();
  const files = await Promise.all(Object.entries(SERVERS).map(([id, fault]) => serverFile(folder, id, fault)));
  const bundle = path.join(folder, 'bundle');
  const run = ['run', 'basics', '--task', 'example-h1', '--agent', 'reference', '--workers', '2'];
  await touchstone(...run, '--surface', files.join(','), '--out', bundle);
  const rows = await readSealedRows(bundleLayout(bundle));
  const ends = rows.map(({ row: { surface, status, attempt } }) => [surface, `${status} ${attempt}`]);
  expect(Object.fromEntries(ends)).toEqual({
    flood: 'agent_error 1',
    silent: 'agent_error 1',
    gone: 'agent_error 1',
    huge: 'agent_error 1',
    twice: 'passed 1',
    honest: 'passed 1',
  });
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0, out: expect.stringContaining('holds') });
});
