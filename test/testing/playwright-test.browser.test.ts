import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const Found = z.object({
  suites: z.array(
    z.object({
      specs: z.array(
        z.object({
          title: z.string(),
          file: z.string(),
          line: z.int(),
          ok: z.boolean(),
          tests: z.array(
            z.object({
              results: z.array(
                z.object({
                  error: z
                    .object({ message: z.string(), location: z.object({ file: z.string(), line: z.int() }) })
                    .optional(),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});

test('a task is a test of Playwright Test: doing it passes, doing nothing fails with the reason', async () => {
  const bundles = path.join(await temporaryFolder(), 'bundles');
  const program = path.join(packageRoot(), 'node_modules/@playwright/test/cli.js');
  const args = [program, 'test', '--config', path.join(import.meta.dirname, 'fixtures/playwright.config.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: await temporaryFolder(),
    env: { ...process.env, BUNDLES: bundles },
  }).catch((error: { stdout: string }) => error);
  const specs = Found.parse(JSON.parse(stdout)).suites.flatMap((suite) => suite.specs);
  expect(specs.map(({ title, ok }) => [title, ok])).toEqual([
    ['dialog-delete: reference', true],
    ['does nothing', false],
  ]);
  expect(specs[1]?.tests[0]?.results[0]?.error?.message).toContain(
    'The page should have exactly 2 × #notes li, but has 3',
  );
  const file = path.join(import.meta.dirname, 'fixtures/task.spec.ts');
  expect(specs.map((spec) => [spec.file, spec.line])).toEqual([
    [path.basename(file), 6],
    [path.basename(file), 7],
  ]);
  expect(specs[1]?.tests[0]?.results[0]?.error?.location).toMatchObject({ file, line: 7 });
});
