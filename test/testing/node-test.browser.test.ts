import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

test('a task is a test of node:test: doing it passes, doing nothing fails with the reason', async () => {
  const bundles = path.join(await temporaryFolder(), 'bundles');
  const file = path.join(import.meta.dirname, 'fixtures/task.node.ts');
  const args = ['--import', import.meta.resolve('tsx'), '--test', '--test-reporter=tap', file];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: await temporaryFolder(),
    env: { ...process.env, BUNDLES: bundles },
  }).catch((error: { stdout: string }) => error);
  expect(stdout.split('\n').filter((line) => /^(?:not )?ok /.test(line))).toEqual([
    'ok 1 - dialog-delete: reference',
    'not ok 2 - does nothing',
  ]);
  expect(stdout).toContain(`location: '${file}:`);
  expect(stdout).toContain(`(${file}:7:1)`);
  expect(stdout).toContain('The page should have exactly 2 × #notes li, but has 3');
});
