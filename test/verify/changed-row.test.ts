import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { smallBundle } from './small-bundle.ts';

const small = smallBundle({
  source: await committedBundle('webvoyager'),
  tasks: ['task-01-example-com-title'],
});

interface Changed {
  layout: BundleLayout;
  /** The file of the row, relative to the bundle. */
  place: string;
}

async function copied(): Promise<Changed> {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  await cp(small(), layout.root, { recursive: true });
  const [line = ''] = (await readFile(layout.rows, 'utf8')).split('\n');
  const { episode_id: id, attempt } = JSON.parse(line);
  return { layout, place: path.relative(layout.root, layout.attempt(id, attempt).row) };
}

/** Changes a file by hand, as somebody who knows of no hash would. */
async function edit(file: string, from: RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(from);
  await writeFile(file, text.replace(from, to));
}

async function findings({ layout }: Changed): Promise<string[]> {
  const { out } = await touchstone('verify', layout.root, '--json');
  return JSON.parse(out).findings.map(({ file, problem }: { file: string; problem: string }) => `${file}: ${problem}`);
}

test('a row that was changed by hand is named with the field, what was recorded and what is there', async () => {
  const changed = await copied();
  await edit(path.join(changed.layout.root, changed.place), /"tool_errors":0/, '"tool_errors":7');
  const found = await findings(changed);
  expect(found.filter((each) => each.includes('is not what was recorded'))).toEqual([
    `${changed.place}: tool_errors is not what was recorded: expected 0, found 7`,
  ]);
});

test('a row that no longer makes sense is named with its field all the same', async () => {
  const changed = await copied();
  await edit(path.join(changed.layout.root, changed.place), /"status":"\w+"/, '"status":"won"');
  const found = await findings(changed);
  expect(found).toContainEqual(
    expect.stringMatching(/row\.json: status is not what was recorded: expected "\w+", found "won"$/),
  );
});

test('fields that no row has are not listed one by one, however many there are', async () => {
  const changed = await copied();
  const strange = Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',');
  await edit(path.join(changed.layout.root, changed.place), /"tool_errors":0/, `"tool_errors":7,${strange}`);
  const found = await findings(changed);
  expect(found).toContainEqual(`${changed.place}: tool_errors is not what was recorded: expected 0, found 7`);
  expect(found.length).toBeLessThan(10);
  expect(found).toContainEqual(expect.stringContaining('k0 unknown field'));
});

test('a line of rows.jsonl that was changed is named with its field alone', async () => {
  const changed = await copied();
  await edit(changed.layout.rows, /"tool_errors":0/, '"tool_errors":7');
  expect(await findings(changed)).toEqual([
    'rows.jsonl:1: is not what the rows add up to: tool_errors expected 0, found 7',
  ]);
});

test('of a line that is the row of another attempt, and of one that says the same in other bytes, no field is named', async () => {
  const another = await copied();
  await edit(another.layout.rows, /"attempt":1/, '"attempt":2');
  expect(await findings(another)).toEqual(['rows.jsonl:1: is not what the rows add up to']);
  const spaced = await copied();
  await edit(spaced.layout.rows, /,/, ', ');
  expect(await findings(spaced)).toEqual(['rows.jsonl:1: is not what the rows add up to']);
});

test('a bundle in which nothing was changed has nothing named', async () => {
  expect(await findings(await copied())).toEqual([]);
});
