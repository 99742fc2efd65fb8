import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { JSONL, PARQUET } from '../../src/export/table.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const STRESS = await committedBundle('stress');
const SEAL = sha256Hex(await readFile(bundleLayout(STRESS).seal));

async function exported(format: string): Promise<string> {
  const out = path.join(await temporaryFolder(), 'out');
  const { exit, err } = await touchstone('export', 'docs/bundles/stress.zip', '--format', format, '--out', out);
  expect([exit, err]).toEqual([0, '']);
  return out;
}

async function rowsOf(bundle: string): Promise<Row[]> {
  const lines = (await readFile(bundleLayout(bundle).rows, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function written(rows: readonly Row[]): Promise<string> {
  const folder = await temporaryFolder();
  const layout = bundleLayout(STRESS);
  const campaign = await readCampaignFile(layout);
  const source = { campaign_id: 'a', plan_hash: 'b', seal_hash: null, touchstone: '1' };
  await PARQUET.write({ layout, campaign, rows, source }, folder);
  return folder;
}

async function parquetIn(folder: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path.join(folder, 'episodes.parquet')) });
}

test('Parquet, read by hyparquet, has the values of the rows, in their types', async () => {
  const read = await parquetIn(await exported('parquet'));
  const rows = await rowsOf(STRESS);
  expect(read.map(({ episode_id: id }) => id)).toEqual(rows.map(({ episode_id: id }) => id));
  const [first, row] = [read[0], rows[0]];
  expect(first).toMatchObject({
    status: row?.status,
    steps: row?.steps === null ? null : BigInt(row?.steps ?? -1),
    wall_ms: row?.wall_ms,
    started_at: row?.started_at === null ? null : new Date(row?.started_at ?? 0),
    null_reasons: row?.null_reasons,
  });
});

test('JSONL has the same rows', async () => {
  const text = await readFile(path.join(await exported('jsonl'), 'episodes.jsonl'), 'utf8');
  const read: unknown[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const plain = (await parquetIn(await exported('parquet'))).map((row) =>
    JSON.parse(JSON.stringify(row, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))),
  );
  expect(read).toEqual(plain);
});

test('the file and its card name the seal of the bundle', async () => {
  const folder = await exported('parquet');
  const file = await asyncBufferFromFile(path.join(folder, 'episodes.parquet'));
  const { key_value_metadata: metadata } = await parquetMetadataAsync(file);
  expect(metadata).toContainEqual({ key: 'touchstone.seal_hash', value: SEAL });
  expect(await readFile(path.join(folder, 'README.md'), 'utf8')).toContain(`| ${SEAL} |`);
});

test('an episode without a verdict is null, and one that failed is false', async () => {
  const statuses = ['passed', 'failed', 'inconclusive', 'infra_error', 'not_applicable', 'max_steps'] as const;
  const rows = statuses.map((status) => ({ ...SAMPLE, status }));
  const read = await parquetIn(await written(rows));
  expect(read.map(({ passed }) => passed)).toEqual([true, false, null, null, null, false]);
});

const UNMEASURED = { tokens_in: null, cost_usd: null, null_reasons: { tokens_in: 'unknown', cost_usd: 'unknown' } };

test('a value that was not measured is null', async () => {
  const [read] = await parquetIn(await written([finishRow({ ...SAMPLE, ...UNMEASURED })]));
  expect(read).toMatchObject({ tokens_in: null, cost_usd: null });
});

test('the card describes each column', async () => {
  const card = await readFile(path.join(await written([]), 'README.md'), 'utf8');
  const columns = [...card.matchAll(/^\| `(\w+)` \| [A-Z0-9]+ \| .+ \|$/gm)].map(([, name]) => name);
  expect(columns).toEqual(await parquetNames(await written([])));
});

async function parquetNames(folder: string): Promise<string[]> {
  const file = await asyncBufferFromFile(path.join(folder, 'episodes.parquet'));
  return (await parquetMetadataAsync(file)).schema.slice(1).map(({ name }) => name);
}

test('a bundle that does not verify is not exported', async () => {
  const { rows: _rows, ...layout } = await copyOf(STRESS);
  const [row] = await rowsOf(STRESS);
  const { row: file } = layout.attempt(row?.episode_id ?? '', row?.attempt ?? 1);
  await writeFile(file, JSON.stringify({ ...row, status: 'passed', steps: 99 }));
  const out = path.join(await temporaryFolder(), 'out');
  const { exit, err } = await touchstone('export', layout.root, '--format', 'jsonl', '--out', out);
  expect([exit, err]).toEqual([2, expect.stringContaining('does not verify')]);
  await expect(readdir(out)).rejects.toThrow('ENOENT');
});

test('a folder with files is refused, and keeps them', async () => {
  const out = await temporaryFolder();
  await writeFile(path.join(out, 'README.md'), 'mine');
  const { exit, err } = await touchstone('export', STRESS, '--format', 'jsonl', '--out', out);
  expect([exit, err]).toEqual([2, expect.stringContaining('choose another --out')]);
  expect(await readFile(path.join(out, 'README.md'), 'utf8')).toBe('mine');
});

test('an unknown format is refused with those that there are', async () => {
  const { exit, err } = await touchstone('export', STRESS, '--format', 'csv', '--out', '/tmp/none');
  expect([exit, err]).toEqual([2, expect.stringContaining('parquet')]);
});

test('no file is replaced', async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'README.md'), 'mine');
  const layout = bundleLayout(STRESS);
  const source = { campaign_id: 'a', plan_hash: 'b', seal_hash: null, touchstone: '1' };
  const bundle = { layout, campaign: await readCampaignFile(layout), rows: [], source };
  await expect(JSONL.write(bundle, folder)).rejects.toThrow('EEXIST');
});
