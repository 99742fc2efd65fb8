import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runTask, taskTest } from '../../src/testing/task-test.ts';

const bundles = mkdtempSync(path.join(tmpdir(), 'touchstone-test-'));
afterAll(() => {
  rmSync(bundles, { recursive: true });
});
const DELETE = { suite: 'basics', task: 'dialog-delete', bundles };

// The bridge itself, as a user of Vitest has it.
taskTest(test, { ...DELETE, agent: 'reference', timeoutMs: 600_000 });

test('an unfinished task fails its test, with the expected and the actual result and the place of the evidence', async () => {
  const bodies: (() => Promise<void>)[] = [];
  const limits: number[] = [];
  const register = Object.assign((_name: string, body: () => Promise<void>) => bodies.push(body), {
    setTimeout: (milliseconds: number) => limits.push(milliseconds),
  });
  taskTest(register, { ...DELETE, agent: 'null', timeoutMs: 60_000 });
  const failure = await bodies[0]?.().catch((error: unknown) => error);
  expect(String(failure)).toMatch(/dialog-delete: failed\. The page should have exactly 2 × #notes li, but has 3/);
  expect(String(failure)).toContain('expected:');
  expect(String(failure)).toContain(`npx touchstone show ${bundles}/`);
  expect(limits).toEqual([60_000]);
});

test('an agent that drives the browser itself needs no surface named', async () => {
  const { passed, episodes } = await runTask({ ...DELETE, agent: 'examples/exec/hasty.mjs' });
  expect([passed, episodes.map(({ surface, status }) => [surface, status])]).toEqual([false, [['own', 'failed']]]);
});

test('a name that does not exist is an error with its remedy, and no failed task', async () => {
  await expect(runTask({ ...DELETE, task: 'dialog-delte', agent: 'reference' })).rejects.toThrow(/dialog-delete/);
});
