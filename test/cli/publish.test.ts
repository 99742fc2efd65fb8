import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finishRow, Row } from '../../src/bundle/row.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const BUNDLE = await committedBundle('tool-servers');

test('a finished campaign is published under its commit, the same each time', async () => {
  const folder = await temporaryFolder();
  const { exit, out } = await touchstone('publish', BUNDLE, '--to', folder);
  expect(exit).toBe(0);
  const { commit, entrants } = JSON.parse((await touchstone('publish', BUNDLE, '--to', folder, '--json')).out);
  expect(await readdir(folder)).toEqual([`${commit}.json`, `${commit}.md`]);
  expect(entrants).toHaveLength(6);
  expect(out).toContain(
    '| reference through aria | scripted | fixture_app, facsimile | scaffold | 4 / 4 (100.0 %) | 100.0 % |',
  );
  expect(out).toContain('- `harness_mode`: mode scripted tests only the harness');
  const written = await readFile(path.join(folder, `${commit}.md`), 'utf8');
  await touchstone('publish', BUNDLE, '--to', folder);
  expect(await readFile(path.join(folder, `${commit}.md`), 'utf8')).toBe(written);
});

test('the scores of another campaign of the same commit are not overwritten', async () => {
  const folder = await temporaryFolder();
  const { commit } = JSON.parse((await touchstone('publish', BUNDLE, '--to', folder, '--json')).out);
  const file = path.join(folder, `${commit}.json`);
  const other = (await readFile(file, 'utf8')).replace(/"campaign_id": "\w+/, '"campaign_id": "another');
  await writeFile(file, other);
  expect(await touchstone('publish', BUNDLE, '--to', folder)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('has the scores of another campaign'),
  });
  expect(await readFile(file, 'utf8')).toBe(other);
});

test('a place that cannot be written is an error', async () => {
  const file = path.join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const { exit, err } = await touchstone('publish', BUNDLE, '--to', file);
  expect([exit, err]).toEqual([
    2,
    expect.stringContaining('cannot be written (a file or a broken link is in its place)'),
  ]);
});

test('a campaign that was ended early has no score', async () => {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'a bundle');
  await cp(BUNDLE, bundle, { recursive: true });
  const ledger = path.join(bundle, 'ledger.jsonl');
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
  await writeFile(ledger, `${lines.slice(0, -1).join('\n')}\n`);
  const { exit, err } = await touchstone('publish', bundle, '--to', path.join(folder, 'reports'));
  expect(err).toContain('has 23 of 24 episodes; a part of a campaign has no score');
  expect(err).toContain(`touchstone run --resume '${bundle}'`);
  expect(exit).toBe(2);
  expect(await readdir(folder)).toEqual(['a bundle']);
});

test('an edited row, with its hashes, is not published', async () => {
  const { root: bundle } = await copyOf(BUNDLE);
  const file = await fileOfRow(bundle);
  const row = Row.parse(JSON.parse(await readFile(file, 'utf8')));
  await writeFile(file, `${JSON.stringify(finishRow({ ...row, steps: 1 }))}\n`);
  const { exit, err } = await touchstone('publish', bundle, '--to', path.join(bundle, '../reports'));
  expect(err).toContain('row.json: has changed since it was sealed');
  expect(exit).toBe(2);
});

async function publishedWith(pin: string, value: string | null) {
  const { root: bundle } = await copyOf(BUNDLE);
  const file = path.join(bundle, 'campaign.json');
  const campaign = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...campaign, pins: { ...campaign.pins, [pin]: value } }));
  const { exit, err } = await touchstone('publish', bundle, '--to', path.join(bundle, '../reports/deep'));
  expect(await readdir(path.dirname(bundle))).toEqual(['bundle']);
  return { exit, err };
}

test('a run of an installed package is refused for that, and not for a missing repository', async () => {
  const { exit, err } = await publishedWith('bench_commit', null);
  expect(exit).toBe(2);
  expect(err).toContain('was run with an installed package');
  expect(err).not.toContain('git repository');
});

test.each([
  ['bench_commit', '../../elsewhere'],
  ['bench_version', '1 <script>alert(1)</script>'],
])('a bundle whose %s is invalid is refused, so it names no place and is no markup', async (pin, value) => {
  expect(await publishedWith(pin, value)).toEqual({ exit: 2, err: expect.stringContaining(`pins.${pin} is not a`) });
});

async function fileOfRow(bundle: string): Promise<string> {
  const names = await readdir(path.join(bundle, 'episodes'), { recursive: true });
  const name = names.find((each) => each.endsWith('row.json'));
  if (name === undefined) throw new Error('there is no row');
  return path.join(bundle, 'episodes', name);
}
