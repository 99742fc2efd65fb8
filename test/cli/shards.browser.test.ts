import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { outcomeHash } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';

const PLAN = ['basics', '--task', 'example-h1,dialog-delete', '--agent', 'reference,null'];

test('parts of a plan, one ended early and resumed, have the outcome of the plan in one piece', async () => {
  const folder = await temporaryFolder();
  const [whole, ...parts] = ['whole', 'one', 'two'].map((name) => path.join(folder, name));
  await touchstone('run', ...PLAN, '--out', whole ?? '');
  for (const [at, part] of parts.entries()) {
    expect(await touchstone('run', ...PLAN, '--shard', `${at + 1}/2`, '--out', part)).toMatchObject({
      exit: 0,
      out: expect.stringContaining(`part           ${at + 1} of 2`),
    });
  }
  const [, second = ''] = parts;
  // Leaves what a run leaves that was killed before its first episode.
  const campaign = await readFile(path.join(second, 'campaign.json'));
  await rm(second, { recursive: true });
  await mkdir(second);
  await writeFile(path.join(second, 'campaign.json'), campaign);
  expect(await touchstone('run', '--resume', second)).toMatchObject({ exit: 0 });

  const merged = path.join(folder, 'merged');
  expect(await touchstone('merge', ...parts, '--out', merged)).toMatchObject({ exit: 0 });
  expect(await outcomeHash(merged)).toBe(await outcomeHash(whole ?? ''));
  expect(await touchstone('verify', merged)).toMatchObject({ exit: 0 });
});

test('more parts than can be filled, a part after the last and a baseline are refused before anything runs', async () => {
  const run = async (...args: string[]) =>
    touchstone('run', ...PLAN, '--out', path.join(await temporaryFolder(), 'b'), ...args);
  expect(await run('--shard', '3/3')).toMatchObject({ exit: 2, err: expect.stringContaining('at most 2') });
  expect(await run('--shard', '4/3')).toMatchObject({ exit: 2, err: expect.stringContaining('--shard') });
  expect(await run('--shard', '1/2', '--baseline', 'suites/basics/baseline.json')).toMatchObject({ exit: 2 });
});
