import path from 'node:path';
import { expect, test } from 'vitest';
import { readJsonLines } from '../../src/bundle/jsonl.ts';
import { Row } from '../../src/bundle/row.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PROFILE = path.resolve(import.meta.dirname, 'fixtures/faulty.yaml');

async function rowsOf(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const line of readJsonLines(path.join(folder, 'rows.jsonl'))) {
    if (!line.torn) rows.push(Row.parse(line.value));
  }
  return rows;
}

test('a profile applied to a campaign gives cells with faults next to fault-free ones, in a bundle that verifies and rejudges', async () => {
  const folder = path.join(await temporaryFolder(), 'bundle');
  const agents = 'reference,retrying-reference';
  await touchstone('run', 'basics', '-t', 'local-form-submit', '-a', agents, '--fault', PROFILE, '--out', folder);
  const rows = await rowsOf(folder);
  const of = (agent: string, fault: string | null) =>
    rows.find((row) => row.agent === agent && (row.faults[0]?.id ?? null) === fault);
  expect(rows).toHaveLength(8);
  expect(of('reference', null)).toMatchObject({ status: 'passed', faults: [], recovered: null });
  expect(of('retrying-reference', null)).toMatchObject({ status: 'passed' });
  expect(of('reference', 'gone')).toMatchObject({ faults: [{ fired: true }], recovered: false });
  expect(of('retrying-reference', 'gone')).toMatchObject({
    status: 'passed',
    faults: [{ fired: true }],
    recovered: true,
  });
  expect(of('reference', 'nowhere')).toMatchObject({ faults: [{ armed: true, fired: false }], recovered: null });
  expect(of('reference', 'killed')).toMatchObject({ status: 'not_applicable', faults: [{ armed: false }] });
  expect((await touchstone('verify', folder)).exit).toBe(0);
  expect((await touchstone('rejudge', folder)).exit).toBe(0);
});
