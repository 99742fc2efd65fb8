import { cp } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { readQualification } from '../../src/plan/qualification.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

beforeEach(async () => {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
});

/** Cases from public reports, each in a folder with its source, and the ways to answer that must pass and that must not. */
test.each([
  ['list-answer', { 'list-answer': [3, 2] }],
  ['typographic-quote', { 'typographic-quote': [1, 2] }],
  ['order-statuses', { 'order-statuses': [2, 3] }],
  ['zero-total', { 'zero-total': [1, 3], 'account-number': [0, 2] }],
])('%s: each correct answer passes, and each incorrect one fails', async (name, tasks) => {
  const suite = path.join(await temporaryFolder(), name);
  await cp(path.join(import.meta.dirname, name), suite, { recursive: true });
  await touchstone('qualify', suite, '-k', '1', '--perturbations', '6', '--out', path.join(suite, '../trials'));
  const proof = await readQualification({ file: path.join(suite, 'suite.yaml') });
  for (const [task, [routes, misses]] of Object.entries(tasks)) {
    const found = proof?.tasks[task];
    expect(found).toMatchObject({
      verdict: 'qualified',
      reference: { passed: 1, of: 1 },
      other_routes: { passed: routes, of: routes },
    });
    expect(found?.near_misses.map(({ status }) => status)).toEqual(Array.from({ length: misses ?? 0 }, () => 'failed'));
  }
});
