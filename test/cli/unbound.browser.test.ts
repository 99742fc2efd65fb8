import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const UNBOUND = 'test/surface/mcp/fixtures/unbound.yaml';

test('no server starts for an agent that follows steps if its file binds none, and for others it does', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const agents = 'reference,retrying-reference,teleport,null';
  await touchstone('run', 'basics', '--task', 'example-h1', '--agent', agents, '--surface', UNBOUND, '--out', bundle);
  const rows = (await readSealedRows(bundleLayout(bundle))).map(({ row }) => row);
  expect(Object.fromEntries(rows.map(({ agent, status, surface_version: says }) => [agent, [status, says]]))).toEqual({
    reference: ['not_applicable', expect.not.stringContaining('small')],
    'retrying-reference': ['not_applicable', expect.not.stringContaining('small')],
    teleport: ['not_applicable', expect.not.stringContaining('small')],
    null: ['failed', 'small 1.0.0'],
  });
  const why = 'not applicable: reference follows steps, and the file of the surface has no binding for them';
  expect(rows.find(({ agent }) => agent === 'reference')?.null_reasons['steps']).toBe(why);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
});
