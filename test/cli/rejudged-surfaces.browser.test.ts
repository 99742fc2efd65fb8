import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

test('an episode in pictures holds when judged again, by the suite too', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const task = ['--task', 'T1_add_monitor', '--surface', 'pixels'];
  expect(await touchstone('run', 'protocols', ...task, '--out', bundle)).toMatchObject({ exit: 0 });
  for (const suites of [[], ['protocols']]) {
    const { exit, out } = await touchstone('rejudge', bundle, ...suites, '--json');
    expect(JSON.parse(out)).toMatchObject({ judged: 1, agree: 1, differing: [] });
    expect(exit).toBe(0);
  }
});

test('a tool server of the user is one file, which is named again to resume', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const server = 'test/surface/mcp/fixtures/small.yaml';
  const ran = await touchstone('run', 'basics', '--task', 'example-h1', '--surface', server, '--out', bundle);
  expect(ran).toMatchObject({ exit: 0, out: expect.stringMatching(/^reference\/small .* 1 of 1 /m) });
  const refused = await touchstone('run', '--resume', bundle);
  expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('a bundle may not name a program to start') });
  expect(refused.err).toContain(`touchstone run --resume ${bundle} --surface ${server}`);
  expect(await touchstone('run', '--resume', bundle, '--surface', server)).toMatchObject({ exit: 0 });
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0 });
  expect((await touchstone('compare', bundle)).out).toContain('| small | `small 1.0.0` | 1 of 1 | 2 | 0 |');
});
