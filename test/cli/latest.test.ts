import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { rowHashes } from '../../src/bundle/row.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { committedBundle } from '../committed-bundle.ts';
import { rowsOf } from './bundle-files.ts';
import { touchstoneIn } from './touchstone.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  for (const [hour, suite] of ['account', 'stress'].entries()) {
    const place = path.join(folder, 'bundles', suite);
    await cp(await committedBundle(suite), place, { recursive: true });
    await utimes(path.join(place, 'ledger.jsonl'), hour, hour);
  }
  await mkdir(path.join(folder, 'bundles', 'no-bundle'));
  await writeFile(path.join(folder, 'bundles', 'stress.zip'), 'packed');
  await symlink('stress.zip', path.join(folder, 'bundles', 'link-to-stress.zip'));
  await symlink('gone', path.join(folder, 'bundles', 'link-to-gone'));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

test.each([
  [[], 'stress'],
  [['latest'], 'stress'],
  [['-1'], 'stress'],
  [['-2'], 'account'],
  [['bundles/account'], 'account'],
])('show %j shows the bundle %s', async (args, suite) => {
  const { exit, out } = await touchstoneIn(folder, 'show', ...args);
  expect(exit).toBe(0);
  expect(out).toContain(`bundles/${suite}: `);
});

test('a task alone is looked up in the latest bundle', async () => {
  const failed = (await rowsOf(path.join(folder, 'bundles/stress'))).find(({ status }) => status === 'agent_error');
  const { out } = await touchstoneIn(folder, 'show', failed?.task ?? '');
  expect(/^run +(\S+)$/m.exec(out)?.[1]).toBe(failed?.run_id);
});

test('an agent may be named instead of a task', async () => {
  const { out } = await touchstoneIn(folder, 'show', 'bundles/account', 'null');
  const rows = (await rowsOf(path.join(folder, 'bundles/account'))).filter(({ agent }) => agent === 'null');
  expect(out).toContain(`${rows.length} episodes match "null"`);
});

test.each([['-3'], ['no-such-task']])('show %s is refused', async (name) => {
  expect((await touchstoneIn(folder, 'show', name)).exit).toBe(2);
});

test('a path that does not exist is no episode of the latest: the error names the bundles', async () => {
  const { exit, err } = await touchstoneIn(folder, 'show', 'bundles/none');
  expect({ exit, err }).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/bundles\/none does not exist[^]*bundles\/stress/),
  });
});

test.each([['report'], ['compare'], ['rejudge'], ['verify'], ['compare', '-2', 'latest']])(
  '%j takes the latest',
  async (...args) => {
    const byName = args.length === 1 ? [...args, 'bundles/stress'] : ['compare', 'bundles/account', 'bundles/stress'];
    expect(await touchstoneIn(folder, ...args)).toEqual(await touchstoneIn(folder, ...byName));
  },
);

const planned = async (...args: string[]) => await touchstoneIn(folder, 'plan', '--last-failed', '--json', ...args);

test('--last-failed plans the tasks, agents and surfaces that failed in the latest bundle', async () => {
  await writeFile(path.join(folder, 'touchstone.yaml'), 'suites: [basics]\nagents: [parrot]\n');
  const { out, err } = await planned();
  const rows = await rowsOf(path.join(folder, 'bundles/stress'));
  const failed = rows.filter(({ status }) => !['passed', 'not_applicable', 'unavailable'].includes(status));
  const { tasks, entrants }: { tasks: { task: string }[]; entrants: unknown } = JSON.parse(out);
  expect(new Set(tasks.map(({ task }) => task))).toEqual(new Set(failed.map(({ task }) => task)));
  expect(entrants).toMatchObject([{ agent: 'reference', surface: 'aria' }]);
  expect(err).toContain('repeating what failed in bundles/stress: ');
});

test('--last-failed plans the pairs that failed, and not every failed agent through every such surface', async () => {
  const own = await temporaryFolder();
  const layout = bundleLayout(path.join(own, 'bundles', 'stress'));
  await cp(await committedBundle('stress'), layout.root, { recursive: true });
  const failed = (await rowsOf(layout.root)).find(({ status }) => status === 'agent_error');
  if (failed === undefined) throw new Error('no episode of the stress bundle failed');
  const row = { ...failed, agent: 'keyword', surface: 'dom' };
  await writeFile(layout.attempt(row.episode_id, 1).row, JSON.stringify({ ...row, ...rowHashes(row) }));
  const { out } = await touchstoneIn(own, 'plan', '--last-failed', '--json');
  const entrants = [
    { agent: 'keyword', surface: 'dom' },
    { agent: 'reference', surface: 'aria' },
  ];
  expect(JSON.parse(out)).toMatchObject({ entrants });
});

test('--last-failed with an agent measures that one', async () => {
  const { out } = await planned('--agent', 'null');
  expect(JSON.parse(out)).toMatchObject({ entrants: [{ agent: 'null', surface: 'aria' }] });
});

test.each([['account'], ['stress', '--task', 'no-such-task']])(
  '--last-failed of %j, in which none failed, is refused',
  async (...args) => {
    expect(await planned(...args)).toMatchObject({ exit: 2, err: expect.stringContaining('bundles/stress') });
  },
);
